// Amounts: decimal texts on this side, and no floats. On the wire they are JSON numbers, or the same texts.
import { CounterfoilError } from './counterfoil-error.ts';

/** A plain decimal such as '12.50': digits, and a fraction if there is one. Never a number. */
export type Amount = string;

const plain = /^(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Refused before anything is sent; what a currency allows, the service knows. */
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

/** Up to 15 digits survive the way through a JSON number unchanged, and the services send no more. */
const toText = (value: number): string => String(value);

/** An answer with the amounts in it as text; which fields are amounts, the generated types know. */
export function readAmounts(value: unknown, amountFields: ReadonlySet<string>): unknown {
  return mapFields(value, '', (key, inner) =>
    typeof inner === 'number' && amountFields.has(key) ? toText(inner) : undefined,
  );
}

/** The other way, for operations that take JSON numbers: the very decimals that were written. */
export function writeAmounts(value: unknown, amountFields: ReadonlySet<string>): unknown {
  return mapFields(value, '', (key, inner) => {
    const isAmount = amountFields.has(key) && inner !== undefined && !isNested(inner);
    return isAmount ? toNumber(key.replace(/^\./, ''), inner) : undefined;
  });
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Every field by its holder and its name; what `change` leaves undefined stays as it is. */
function mapFields(
  value: unknown,
  holder: string,
  change: (key: string, inner: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((each) => mapFields(each, holder, change));
  if (!isNested(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    change(`${holder}.${name}`, inner) ?? mapFields(inner, name, change),
  ]);
  return Object.fromEntries(entries);
}

/** More than 15 digits might come out as others. */
function toNumber(field: string, amount: unknown): number {
  checkAmount(field, amount);
  const digits = String(amount).replace('.', '').replace(/^0+/, '');
  if (digits.length > 15) checkAmount(field, undefined);
  return Number(amount);
}
