// What counts as a clean text from outside: well-formed, printable, of bounded length.
import { Type } from 'typebox';

/** No control characters, no lone surrogates, no line or paragraph separators. */
const printablePattern = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$';
const printable = new RegExp(printablePattern, 'u');

export const isPrintable = (value: string): boolean => printable.test(value);

/** A schema for such a text; lengths count characters, not code units. */
export const PrintableText = (limits: {
  min?: number;
  max: number;
  description?: string;
  examples?: string[];
}) =>
  Type.String({
    minLength: limits.min ?? 0,
    maxLength: limits.max,
    pattern: printablePattern,
    ...(limits.description !== undefined && { description: limits.description }),
    ...(limits.examples && { examples: limits.examples }),
  });
