// Exact amounts in the forms that providers use. An amount that does not fit the package's scale is refused.
import { maxMinor } from '@counterfoil/kit/money';

const plainDecimal = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/**
 * Reads a plain decimal such as `10.00` as minor units. The result is undefined if the text is not a plain
 * decimal, or if the amount is too large or has too many decimals.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = plainDecimal.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  // Zeros at the end of the decimals are ignored, because they do not change the amount.
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return undefined;
  const minor = BigInt(whole + digits.padEnd(decimals, '0'));
  return minor > maxMinor ? undefined : minor;
}

const powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as const;

/**
 * Reads a JSON number or a plain decimal text as minor units. The result is undefined for any other value.
 * The result is also undefined for an amount that is negative, is too large or has too many decimals. A
 * number counts as its shortest decimal text. This is exact, because two different texts of up to 15 digits
 * never give the same double.
 */
export function parseAmount(amount: unknown, decimals: number): bigint | undefined {
  if (typeof amount === 'string') return parseDecimal(amount, decimals);
  const power = powers[decimals];
  if (typeof amount !== 'number' || power === undefined) return undefined;
  const minor = Math.round(amount * power);
  return minor >= 0 && minor < 1e15 && minor / power === amount ? BigInt(minor) : undefined;
}

/** Matches a JSON text with a number that has an exponent or more than 15 characters. */
const unusualNumber = /[:,[]\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/;
const stringOrNumber = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * Whether a field with one of these names has a number with an exponent, or a number that `JSON.parse` may
 * round. Nested fields are checked too. `json` must be valid.
 */
export function hasInexactNumber(json: string, names: ReadonlySet<string>): boolean {
  // Most bodies have no unusual number. Testing for unusual numbers is faster than checking each field.
  if (!unusualNumber.test(json)) return false;
  let name: string | undefined;
  for (const [text, string, colon] of json.matchAll(stringOrNumber)) {
    if (string !== undefined) name = colon === undefined ? undefined : (JSON.parse(`"${string}"`) as string);
    else if (name !== undefined && names.has(name) && !isExact(text)) return true;
  }
  return false;
}

/**
 * Whether the number has no exponent and at most 15 significant digits. `JSON.parse` reads these numbers
 * exactly.
 */
function isExact(literal: string): boolean {
  if (/[eE]/.test(literal)) return false;
  const digits = literal.includes('.') ? literal.replace(/0+$/, '') : literal;
  return digits.replace('.', '').replace(/^-?0*/, '').length <= 15;
}

/** The decimal text of an amount with all decimals of the package: `100.00`. */
export function formatDecimal(minor: bigint, decimals: number): string {
  if (minor < 0n) return `-${formatDecimal(-minor, decimals)}`;
  const digits = minor.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Converts a whole number of `10^-unitDecimals` to minor units. The result is undefined if the amount is
 * negative, is too large, or has more decimals than the package allows.
 */
export function parseUnits(units: bigint, unitDecimals: number, decimals: number): bigint | undefined {
  if (units < 0n) return undefined;
  const minor =
    decimals >= unitDecimals
      ? units * 10n ** BigInt(decimals - unitDecimals)
      : divideExactly(units, 10n ** BigInt(unitDecimals - decimals));
  return minor === undefined || minor > maxMinor ? undefined : minor;
}

const divideExactly = (value: bigint, by: bigint): bigint | undefined =>
  value % by === 0n ? value / by : undefined;

/** Converts minor units to a whole number of `10^-unitDecimals`. Finer amounts are rounded down. */
export function toUnits(minor: bigint, unitDecimals: number, decimals: number): bigint {
  const difference = BigInt(Math.abs(unitDecimals - decimals));
  return decimals <= unitDecimals ? minor * 10n ** difference : minor / 10n ** difference;
}
