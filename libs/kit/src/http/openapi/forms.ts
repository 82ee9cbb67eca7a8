// Schemas for numbers in text, times and amounts. They appear only in the OpenAPI document and are stricter
// than the schemas of the routes.
import type { Schema } from './document.ts';

/** The schema of a whole number that is sent as text in a URL. */
export const integerForm = (minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
});

export const idForm: Schema = integerForm(1, Number.MAX_SAFE_INTEGER);

const day = '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)';
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?';
const offset = '[+-]([01][0-9]|2[0-3])';
const years = '(19[7-9][0-9]|[2-8][0-9]{3}|9[0-8][0-9]{2}|99[0-8][0-9]|999[0-8])';

/**
 * The schema of a time in ISO 8601: a date, or a date and a time, with or without an offset; from 1970 to
 * 9998.
 */
export const momentForm: Schema = {
  type: 'string',
  maxLength: 40,
  pattern: `^${years}-${day}([T ]${time}(Z|${offset}:?[0-5][0-9])?)?$`,
};

/** The schema of a time as in `momentForm`, or of an empty text, which means no time. */
export const momentOrNoneForm: Schema = {
  ...momentForm,
  pattern: `^(${years}-${day}([T ]${time}(Z|${offset}:?[0-5][0-9])?)?)?$`,
};

/** The schema of a time in ISO 8601 with a date, a time and an offset. */
export const exactMomentForm: Schema = {
  type: 'string',
  pattern: `^[0-9]{4}-${day}T${time}(Z|${offset}:[0-5][0-9])$`,
};

const maxAmount = 999_999_999_999_999;

/**
 * The schema of an amount: a JSON number or its decimal text. The currency determines the number of decimals.
 */
const amountForm = (number: Schema, pattern: string): readonly Schema[] => [
  { type: 'number', maximum: maxAmount, ...number },
  { type: 'string', maxLength: 16, pattern },
];

const amountText = '^[0-9]{1,15}([.][0-9]{1,8})?$';
const positiveText = '^(0*[1-9][0-9]*([.][0-9]{1,8})?|0+[.](0{0,7}[1-9][0-9]{0,7}))$';

export const positiveAmountForm: Schema = { anyOf: amountForm({ exclusiveMinimum: 0 }, positiveText) };
export const amountOrZeroForm: Schema = { anyOf: amountForm({ minimum: 0 }, amountText) };
/** The schema of an amount or null, for clients that write null for a missing amount. */
export const amountOrNullForm: Schema = {
  anyOf: [...amountForm({ minimum: 0 }, amountText), { type: 'null' }],
};

/** The rule that exactly one of these fields must be present. */
export const exactlyOne = (names: readonly string[]): Pick<Schema, 'oneOf'> => ({
  oneOf: names.map((name) => ({ required: [name] })),
});

/** The rule that certain fields must be present and not null if `field` has one of these values. */
export const neededFor = (
  [field, values]: readonly [field: string, values: readonly unknown[]],
  needed: readonly string[],
): Schema => ({
  if: { required: [field], properties: { [field]: { enum: values } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in an object that nobody awaits.
  then: {
    required: needed,
    properties: Object.fromEntries(needed.map((name) => [name, { not: { type: 'null' } }])),
  },
});
