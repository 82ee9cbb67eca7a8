// Money as whole minor units of a currency: parsed exactly or refused, never rounded.

export interface Money {
  readonly minor: bigint;
  readonly currency: string;
}

/**
 * Defines how amounts are counted. One minor unit is 10 to the power of minus `decimals`. A unit may have
 * more decimals than its currency: EUR with 5 decimals counts hundred-thousandths of a euro. Functions that
 * accept a unit also accept a currency code, and then use the decimals of that currency.
 */
export interface Unit {
  readonly currency: string;
  readonly decimals: number;
}

/**
 * The maximum number of decimals. An amount has at most 15 digits, so with 8 decimals the largest amount is
 * 9,999,999.99999999.
 */
export const maxDecimals = 8;

/** The largest amount: 15 digits, which every JSON parser reads exactly. */
export const maxMinor = 10n ** 15n - 1n;

const zeroDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND';
const fourDecimals = 'CLF UYW';
const twoDecimals =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD ' +
  'CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL ' +
  'GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR ' +
  'LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD ' +
  'PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC ' +
  'SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';

/**
 * The decimals of each currency in ISO 4217. They are listed here, because the data of Node differs between
 * versions.
 */
const decimalsByCurrency = new Map<string, number>([
  ...zeroDecimals.split(' ').map((code) => [code, 0] as const),
  ...twoDecimals.split(' ').map((code) => [code, 2] as const),
  ...threeDecimals.split(' ').map((code) => [code, 3] as const),
  ...fourDecimals.split(' ').map((code) => [code, 4] as const),
]);

export function isCurrency(code: string): boolean {
  return decimalsByCurrency.has(code);
}

export function getDecimals(currency: string): number {
  const decimals = decimalsByCurrency.get(currency);
  if (decimals === undefined) throw new Error(`unknown currency ${JSON.stringify(currency)}`);
  return decimals;
}

const decimalsOf = (unit: Unit | string): number =>
  typeof unit === 'string' ? getDecimals(unit) : unit.decimals;

const plainDecimal = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/**
 * Converts an amount that a client wrote to minor units. Returns undefined if the value is negative, not a
 * number, too large, or has more decimals than the unit. A JSON number counts as the decimal number of its
 * shortest text, because binary arithmetic is not exact: 0.07 × 100 is not 7, but the text "0.07" is exactly
 * seven cents.
 */
export function parseMinor(amount: unknown, unit: Unit | string): bigint | undefined {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined;
  const decimals = decimalsOf(unit);
  if (typeof amount === 'number') {
    const minor = parseNumber(amount, decimals);
    if (minor !== undefined) return minor;
  }
  const match = plainDecimal.exec(String(amount));
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals || whole.length + fraction.length > 15) return undefined;
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return minor > maxMinor ? undefined : minor;
}

/**
 * Converts a JSON number to minor units without writing it as text. The result is checked: it must have at
 * most 15 digits, and dividing it by the power of ten must give the original number again. Otherwise returns
 * undefined, and the caller parses the text of the number.
 */
function parseNumber(amount: number, decimals: number): bigint | undefined {
  const power = powers[decimals] as number;
  const minor = Math.round(amount * power);
  return minor >= 0 && minor < 1e15 && minor / power === amount ? BigInt(minor) : undefined;
}

/** Returns the plain decimal text of an amount, with all decimals of its unit. */
export function formatMinor(minor: bigint, unit: Unit | string): string {
  const decimals = decimalsOf(unit);
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as const;

/**
 * Returns an amount as a JSON number, which is exact for up to 15 digits. A double can represent both
 * operands of the division exactly. The quotient is therefore the double that is nearest to the decimal
 * amount.
 */
export function toJsonNumber(minor: bigint, unit: Unit | string): number {
  const whole = Number(minor);
  if (!Number.isSafeInteger(whole)) return Number(formatMinor(minor, unit));
  return whole / (powers[decimalsOf(unit)] as number);
}
