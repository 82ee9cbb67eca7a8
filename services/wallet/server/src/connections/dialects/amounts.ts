// Exact amounts in the forms that providers use. An amount that does not fit the package's scale is refused.
import { maxMinor } from '@counterfoil/kit/money';

const plainDecimal = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/** The minor units of a plain decimal such as `10.00`; undefined if it is no plain decimal or too fine. */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = plainDecimal.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  // Zeros after the last decimal do not make an amount finer.
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return undefined;
  const minor = BigInt(whole + digits.padEnd(decimals, '0'));
  return minor > maxMinor ? undefined : minor;
}

/** The decimal text of an amount with all decimals of the package: `100.00`. */
export function formatDecimal(minor: bigint, decimals: number): string {
  const digits = minor.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The minor units of a whole number of `10^-unitDecimals`; undefined if the package's scale is too coarse. */
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

/** The whole number of `10^-unitDecimals` of an amount. Finer amounts are rounded down. */
export function toUnits(minor: bigint, unitDecimals: number, decimals: number): bigint {
  const difference = BigInt(Math.abs(unitDecimals - decimals));
  return decimals <= unitDecimals ? minor * 10n ** difference : minor / 10n ** difference;
}
