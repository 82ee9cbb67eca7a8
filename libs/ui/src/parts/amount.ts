// Formats and parses amounts in the chosen language. It works on the decimal text, so nothing is rounded.
import { locale } from '../language.ts';

/** The number of decimals that a currency has by default. An amount with more decimals shows all of them. */
function defaultDecimals(currency: string | undefined): number {
  if (currency === undefined) return 0;
  try {
    const options = { style: 'currency', currency } as const;
    return new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 0;
  } catch {
    // This browser does not know the currency code.
    return 0;
  }
}

/** The decimal mark of a locale. */
const findMark = (at: string): string =>
  new Intl.NumberFormat(at).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

interface Digits {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly decimals: string;
}

/**
 * Splits an amount into its sign and its digits. Services send amounts as JSON numbers of at most 15 digits
 * and 8 decimals. JavaScript writes such a number exactly, but uses an exponent below 0.000001. For these
 * small numbers, `toFixed` writes the digits without an exponent. Returns undefined for a text that is not a
 * decimal number.
 */
function readDigits(amount: number | string, currency: string | undefined): Digits | undefined {
  const isTiny = typeof amount === 'number' && Math.abs(amount) < 1e-6 && amount !== 0;
  const text = isTiny ? amount.toFixed(8).replace(/0+$/, '') : String(amount);
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const decimals = fraction.padEnd(defaultDecimals(currency), '0');
  return { isNegative: sign === '-', whole, decimals };
}

function writeDigits({ whole, decimals }: Digits, at: string): string {
  const grouped = new Intl.NumberFormat(at).format(BigInt(whole));
  return `${grouped}${decimals && `${findMark(at)}${decimals}`}`;
}

export function formatAmount(amount: number | string, currency?: string, at = locale): string {
  const digits = readDigits(amount, currency);
  if (!digits) return String(amount);
  return `${digits.isNegative ? '−' : ''}${writeDigits(digits, at)}`;
}

/** Formats the amount with its currency symbol, in the order of the locale. */
export function formatPrice(amount: number | string, currency: string, at = locale): string {
  const digits = readDigits(amount, currency);
  if (!digits) return `${amount} ${currency}`;
  const minus = digits.isNegative ? '−' : '';
  try {
    const parts = new Intl.NumberFormat(at, { style: 'currency', currency }).formatToParts(0);
    const shown = parts.map(({ type, value }) => {
      if (type === 'integer') return writeDigits(digits, at);
      return type === 'decimal' || type === 'fraction' ? '' : value;
    });
    return `${minus}${shown.join('')}`;
  } catch {
    // This browser does not know the currency code.
    return `${minus}${writeDigits(digits, at)} ${currency}`;
  }
}

/** Formats an amount for an input, without thousands separators. */
export function writeAmount(amount: number | string, currency?: string, at = locale): string {
  const digits = readDigits(amount, currency);
  if (!digits) return String(amount);
  const { isNegative, whole, decimals } = digits;
  return `${isNegative ? '-' : ''}${whole}${decimals && `${findMark(at)}${decimals}`}`;
}

/**
 * Converts a typed amount to the format of the service. “1.000” is one in English and a thousand in German.
 * So only the decimal mark of the person's language becomes a point. A thousands separator becomes or stays a
 * comma, so the service refuses the amount.
 */
export function readAmount(typed: string, at = locale): string {
  if (findMark(at) === '.') return typed;
  return typed.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ','));
}
