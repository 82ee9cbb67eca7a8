// Schemas and checks for text from clients: well-formed, printable, limited in length.
import { Type } from 'typebox';
import { shownAs } from './openapi/schema-marks.ts';

/**
 * Parts of character classes. Every regular expression engine reads them the same way, with and without a
 * Unicode flag. `\xHH` works in all engines. Characters above U+00FF are written literally, because some
 * engines support neither `\uHHHH` nor `\p{…}`.
 */
const controls = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';
const spaces = '\\x20\\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff';
/** Invisible characters and private-use characters. */
const invisible =
  '\\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ue000-\uf8ff\ufff0-\ufffb';

/** The range of surrogates. Only an engine with a Unicode flag distinguishes lone surrogates from pairs. */
const halves = '\\ud800-\\udfff';

/** Invisible and private-use characters of all planes, for engines with a Unicode flag. */
const invisibleAnywhere = '\\p{Cf}\\p{Co}';

/**
 * A pattern that the service enforces. `shown` is its form in the API document, without the parts that need
 * an engine with a Unicode flag.
 */
interface Pattern {
  readonly enforced: string;
  readonly shown: string;
}

const without = (make: (refused: string) => string, refused: string, unshown = ''): Pattern => ({
  enforced: make(`${refused}${unshown}${halves}`),
  shown: make(refused),
});

const printable = without((refused) => `^[^${refused}]*$`, controls);
const notBlank = without((refused) => `^[^${refused}]*[^${refused}${spaces}][^${refused}]*$`, controls);
const prose = without((refused) => `^[^${refused}]*$`, '\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f');
const mailPart = `@${controls}${spaces}${invisible}`;
const mail = without((refused) => `^[^${refused}]+@[^${refused}]+$`, mailPart, invisibleAnywhere);
const mailOrNone = without((refused) => `^([^${refused}]+@[^${refused}]+)?$`, mailPart, invisibleAnywhere);
const webAddressOrNone = without(
  (refused) => `^([hH][tT][tT][pP][sS]?://[^${refused}]+)?$`,
  `${controls}${spaces}${invisible}`,
);

const testOf = ({ enforced }: Pattern) => {
  const pattern = new RegExp(enforced, 'u');
  return (text: string): boolean => pattern.test(text);
};

/** Whether a text has no control characters, no lone surrogates, and no line or paragraph separators. */
export const isPrintable = testOf(printable);
/**
 * Whether a text of one or more lines has no ASCII control characters except tabs and line breaks, and no
 * lone surrogates.
 */
export const isProse = testOf(prose);
/** Whether a text has two parts around an @, without spaces, control characters and invisible characters. */
export const isMailAddress = testOf(mail);

/** Checks input that no schema has checked. Lengths count characters, not code units. */
export const isPrintableWithin = (text: string, { min = 0, max }: Limits): boolean =>
  isPrintable(text) && [...text].length >= min && [...text].length <= max;

interface Limits {
  readonly min?: number;
  readonly max: number;
  readonly description?: string;
  readonly examples?: string[];
}

/** Returns a function that makes schemas for a text. Lengths count characters, not code units. */
const makeText =
  ({ enforced, shown }: Pattern) =>
  ({ min = 0, max, ...annotations }: Limits) => {
    const limits = { minLength: min, maxLength: max };
    return shownAs(Type.String({ ...limits, pattern: enforced, ...annotations }), {
      type: 'string',
      ...limits,
      pattern: shown,
    });
  };

/** A schema for a printable text. */
export const PrintableText = makeText(printable);
/** A schema for a text of several lines. */
export const ProseText = makeText(prose);
export const MailText = makeText(mail);
export const MailOrNoneText = makeText(mailOrNone);

/**
 * Makes schemas for the API document. They describe texts that a handler parses. `min` is the length of the
 * shortest text.
 */
const formOf =
  ({ shown }: Pattern, min?: number) =>
  (max: number) => ({
    type: 'string',
    ...(min !== undefined && { minLength: min }),
    maxLength: max,
    pattern: shown,
  });

export const notBlankForm = formOf(notBlank, 1);
export const mailForm = formOf(mail, 3);
export const mailOrNoneForm = formOf(mailOrNone);
export const webAddressOrNoneForm = formOf(webAddressOrNone);
