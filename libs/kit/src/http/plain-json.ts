// Reads JSON objects that need no second look: plain ASCII, nothing escaped, nothing poisonous.
import { isAscii } from 'node:buffer';

const unusual = /[\\\x7f]|__proto__|constructor/;

/**
 * Undefined for everything else, which is for those who know every form that a body may have. With
 * no backslash in the text, none of its strings holds a quote or a control character: they can be
 * written into an answer as they are.
 */
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

/** Of one letter at least. */
export const isTextUpTo = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;
