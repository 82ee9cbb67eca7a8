// What counts as a clean text from outside: well-formed, printable, of bounded length.
import { Type } from 'typebox';
import { shownAs } from './openapi/schema-marks.ts';

/**
 * Parts of character classes that every regular expression engine reads alike, with and without a
 * Unicode flag. `\xHH` is known to all of them; what lies above U+00FF stands for itself, because
 * neither `\uHHHH` nor `\p{…}` is.
 */
const controls = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';
const spaces = '\\x20\\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff';
/** Characters that are not seen, or whose meaning is private. */
const invisible =
  '\\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ue000-\uf8ff\ufff0-\ufffb';

/** Halves of characters; only an engine with a Unicode flag tells them from whole ones. */
const halves = '\\ud800-\\udfff';

/** Invisible and private characters of every plane; only an engine with a Unicode flag knows them. */
const invisibleAnywhere = '\\p{Cf}\\p{Co}';

/**
 * The document shows less than is enforced: the parts that only an engine with a Unicode flag reads
 * are left out.
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
const notBlank = without(
  (refused) => `^[^${refused}]*[^${refused}${spaces}][^${refused}]*$`,
  controls,
);
const prose = without((refused) => `^[^${refused}]*$`, '\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f');
const mailPart = `@${controls}${spaces}${invisible}`;
const mail = without((refused) => `^[^${refused}]+@[^${refused}]+$`, mailPart, invisibleAnywhere);
const mailOrNone = without(
  (refused) => `^([^${refused}]+@[^${refused}]+)?$`,
  mailPart,
  invisibleAnywhere,
);
const webAddressOrNone = without(
  (refused) => `^([hH][tT][tT][pP][sS]?://[^${refused}]+)?$`,
  `${controls}${spaces}${invisible}`,
);

const testOf = ({ enforced }: Pattern) => {
  const pattern = new RegExp(enforced, 'u');
  return (text: string): boolean => pattern.test(text);
};

/** No control characters, no lone surrogates, no line or paragraph separators. */
export const isPrintable = testOf(printable);
/** Several lines; no other control characters, no lone surrogates. */
export const isProse = testOf(prose);
/** Two parts without spaces, control characters and characters that are not seen. */
export const isMailAddress = testOf(mail);

/** For input that no schema has checked. Lengths count characters, not code units. */
export const isPrintableWithin = (text: string, { min = 0, max }: Limits): boolean =>
  isPrintable(text) && [...text].length >= min && [...text].length <= max;

interface Limits {
  readonly min?: number;
  readonly max: number;
  readonly description?: string;
  readonly examples?: string[];
}

/** Lengths count characters, not code units. */
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

/** What the document shows of a text that is trimmed before it is measured. */
export const notBlankForm = (max: number) => ({
  type: 'string',
  minLength: 1,
  maxLength: max,
  pattern: notBlank.shown,
});

/** What it shows of an e-mail address that is read, and not only matched. */
export const mailForm = (max: number) => ({
  type: 'string',
  minLength: 3,
  maxLength: max,
  pattern: mail.shown,
});

export const mailOrNoneForm = (max: number) => ({
  type: 'string',
  maxLength: max,
  pattern: mailOrNone.shown,
});

/** What it shows of an http or https address that is read, and not only matched. */
export const webAddressOrNoneForm = (max: number) => ({
  type: 'string',
  maxLength: max,
  pattern: webAddressOrNone.shown,
});
