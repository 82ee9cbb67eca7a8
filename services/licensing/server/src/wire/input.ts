// Schemas and parsers of values that several slices share: URLs, ids, texts, times and amounts.

import { wholeSecond } from '@counterfoil/kit/http/answers';
import { momentForm } from '@counterfoil/kit/http/openapi/forms';
import { named, shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { isProse as isCleanProse, ProseText, webAddressOrNoneForm } from '@counterfoil/kit/http/text';
import { parseMinor } from '@counterfoil/kit/money';
import { type TProperties, Type } from 'typebox';
import { type Problems, refuseField } from './refusals.ts';

/** Makes the schema of an object that has a name in the OpenAPI document. */
export const NamedObject = <Properties extends TProperties>(name: string, properties: Properties) =>
  named(name, Type.Object(properties));

const maxUrlLength = 2048;

export const Url = shownAs(
  Type.String({ maxLength: maxUrlLength, description: 'An http or https address; "" means none.' }),
  webAddressOrNoneForm(maxUrlLength),
);

/**
 * Whether the text is empty or a URL. A URL with a user name or password is refused, because anybody may read
 * the answers that contain the URL.
 */
export function isWebAddress(text: string): boolean {
  if (text === '') return true;
  if (text.length > maxUrlLength || !/^https?:\/\/[^\s\p{C}]+$/iu.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Makes the schema of an id in a JSON body. */
export const IdNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

export const Prose = (max: number) => ProseText({ max });

export const isProse = (text: string, max: number): boolean =>
  (text.length <= max || [...text].length <= max) && isCleanProse(text);

export const MomentText = (description: string) =>
  shownAs(Type.String({ maxLength: 40, description, examples: ['2026-05-04T10:00:00Z'] }), momentForm);

export const Moment = MomentText('ISO 8601; without an offset it is UTC.');

const momentParts =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The rule for times in requests. The year 9999 is refused, because some clients send it to mean that there
 * is no end.
 */
export const momentRule = 'must be a moment in ISO 8601 from 1970 to 9998.';

/** Parses a moment. A date without a time means midnight in UTC. A fraction of a second is cut off. */
export function parseMoment(text: string): Date | undefined {
  const [, date = '', time = '00:00', zone = 'Z'] = momentParts.exec(text.trim()) ?? [];
  if (date === '') return undefined;
  const moment = wholeSecond(new Date(`${date}T${time}${zone}`));
  const year = moment.getUTCFullYear();
  if (!(year >= 1970 && year <= 9998)) return undefined;
  // `Date` reads February 30 as a day in March. A day above 28 is therefore accepted only if `Date` does not
  // change the date.
  if (date.slice(8) <= '28') return moment;
  return new Date(`${date}T00:00Z`).toISOString().startsWith(date) ? moment : undefined;
}

/** The schema of an amount: a JSON number, or a decimal text, which no JSON parser rounds. */
export const Amount = (description?: string) =>
  Type.Union([Type.Number(), Type.String({ pattern: '^-?[0-9]{1,15}(\\.[0-9]{1,15})?$' })], {
    ...(description !== undefined && { description }),
    examples: [12.5, '12.50'],
  });

/** The schema of an amount that is not negative. */
export const Price = (description: string) =>
  shownAs(Amount(description), {
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: '^[0-9]{1,15}([.][0-9]{1,15})?$' },
    ],
  });

export type Amount = number | string;

/** Returns the canonical text of an amount: `12.50` and 12.5 give the same text. */
export const describeAmount = (amount: Amount): string =>
  typeof amount === 'number'
    ? JSON.stringify(amount)
    : amount
        .replace(/^(-?)0+(?=\d)/, '$1')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '');

/** Reads an amount of a currency, or records the problem. */
export function readAmount(
  problems: Problems,
  given: { field: string; amount: unknown; currency: string },
): bigint | undefined {
  const { field, amount, currency } = given;
  const isNegative = Number(amount) < 0;
  return (
    parseMinor(amount, currency) ??
    problems.add(field, isNegative ? 'must not be negative.' : `must be an exact amount in ${currency}.`)
  );
}

export function parseTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = parseMoment(text);
  if (time) return time;
  throw refuseField(field, 'is not a time.');
}
