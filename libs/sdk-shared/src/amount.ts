// Amounts are decimal strings in the client, never floats. On the wire, they are JSON numbers or decimal
// strings.
import { CounterfoilError } from './counterfoil-error.ts';

/** A decimal string such as '12.50': digits and an optional fraction. */
export type Amount = string;

const plain = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/**
 * Checks an amount, and throws before anything is sent. The service checks the number of decimals and the
 * range.
 */
export function checkAmount(field: string, amount: unknown, { signed = false } = {}): void {
  const size = signed && typeof amount === 'string' ? amount.replace(/^-/, '') : amount;
  if (typeof size === 'string' && plain.test(size)) return;
  const sentence = "must be a decimal text such as '12.50'.";
  throw new CounterfoilError({
    code: 'invalid_amount',
    message: `${field} ${sentence}`,
    retryable: false,
    outcome: 'not_applied',
    fields: { [field]: [sentence] },
  });
}

/**
 * Replaces the numbers in amount fields by strings. The services send at most 15 digits, which a JSON number
 * represents exactly.
 */
export function readAmounts(value: unknown, amountFields: ReadonlySet<string>): unknown {
  return mapFields(value, '', (key, inner) =>
    typeof inner === 'number' && amountFields.has(key) ? writePlain(inner) : undefined,
  );
}

/**
 * Writes a number without an exponent. JavaScript writes a number below 0.000001 with an exponent. An amount
 * has up to 8 decimals, so it may be that small.
 */
const writePlain = (amount: number): string => {
  const text = String(amount);
  return text.includes('e-') ? amount.toFixed(8).replace(/0+$/, '') : text;
};

/** Replaces the strings in amount fields by numbers, for operations that accept only JSON numbers. */
export function writeAmounts(value: unknown, amountFields: ReadonlySet<string>): unknown {
  return mapFields(value, '', (key, inner) => {
    const isAmount = amountFields.has(key) && inner !== undefined && !isNested(inner);
    return isAmount ? toNumber(key.replace(/^\./, ''), inner) : undefined;
  });
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Passes each field to `change` under the key `parent.name`. If `change` returns undefined, the field stays
 * unchanged.
 */
function mapFields(
  value: unknown,
  parent: string,
  change: (key: string, inner: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, parent, change));
  if (!isNested(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    change(`${parent}.${name}`, inner) ?? mapFields(inner, name, change),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Converts an amount to a number. Refuses more than 15 digits, because a JSON number cannot represent them
 * all exactly.
 */
function toNumber(field: string, amount: unknown): number {
  checkAmount(field, amount);
  const digits = String(amount).replace('.', '').replace(/^0+/, '');
  if (digits.length > 15) checkAmount(field, undefined);
  return Number(amount);
}
