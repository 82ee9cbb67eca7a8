// The parts that the speakers share: JSON with amounts exactly as given, and readers of JSON answers.
import { isDeepStrictEqual } from 'node:util';
import { formatDecimal, parseDecimal } from '../../connections/dialects/amounts.ts';
import type { Amount, Answer, Message } from '../speaker.ts';

/** A JSON text that `writeJson` inserts without a change. */
class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const marker = 'exact-json-text-';
const marked = new RegExp(`"${marker}(\\d+)"`, 'g');

/** Writes JSON with exact amounts. `JSON.stringify` can write neither `1.00` nor an invalid amount. */
export function writeJson(fields: object): Buffer {
  const texts: string[] = [];
  const json = JSON.stringify(fields, (_name, value) =>
    value instanceof JsonText ? `${marker}${texts.push(value.text) - 1}` : value,
  );
  return Buffer.from(json.replace(marked, (_match, index) => texts[Number(index)] ?? ''));
}

/** Writes an amount for a request. `write` converts minor units to JSON text. */
export const writeAmount = (amount: Amount, write: (minor: bigint) => string): JsonText =>
  new JsonText(typeof amount === 'bigint' ? write(amount) : amount.text);

export const postJson = (path: string, fields: object): Message => ({
  method: 'POST',
  path,
  query: '',
  headers: { 'content-type': 'application/json' },
  body: writeJson(fields),
});

export type Fields = Readonly<Record<string, unknown>>;

/** Parses a JSON object; undefined if the text is not a JSON object. */
export function readObject(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const asObject = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/**
 * Reads an amount in minor units. The result is undefined if the value is absent, is not a number, or has
 * more than `decimals` decimals. Negative amounts are read too, because a broken wallet may show a negative
 * balance.
 */
export function readDecimal(value: unknown, decimals: number): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value);
  if (!text.startsWith('-')) return parseDecimal(text, decimals);
  const minor = parseDecimal(text.slice(1), decimals);
  return minor === undefined ? undefined : -minor;
}

export const readText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const notJson = (status: number): Answer => ({
  status,
  accepted: false,
  code: '',
  detail: 'no JSON object',
  balance: undefined,
  id: undefined,
  body: undefined,
});

export const hasEqualBody = (first: Answer, repeat: Answer): boolean =>
  isDeepStrictEqual(repeat.body, first.body);

/**
 * Amounts near 1.00 that have too many decimals. Two of them have one decimal too many, the digit 5 or 1. The
 * third has 17 decimals.
 */
export const listTooFine = (decimals: number): string[] => {
  const one = formatDecimal(10n ** BigInt(decimals), decimals);
  const start = decimals === 0 ? `${one}.` : one;
  return [`${start}5`, `${start}1`, `1.${'0'.repeat(16)}1`];
};
