// Reads plain JSON objects (ASCII without escapes) and writes JSON strings, both for the hot path.
import { isAscii } from 'node:buffer';

const unusual = /[\\\x7f]|__proto__|constructor/;

/** Undefined for every other body: beyond ASCII, with escapes, with keys that could change a prototype. */
export function readPlainObject(bytes: Buffer): Record<string, unknown> | undefined {
  if (!isAscii(bytes)) return undefined;
  const text = bytes.toString('latin1');
  if (unusual.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Text of 1 to `max` characters. */
export const isTextUpTo = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

/** Control characters, quotes, backslashes and surrogates. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The text as a JSON string, like `JSON.stringify` but faster for text without escapes. */
export const quoteText = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
