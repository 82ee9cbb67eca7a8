// Reads amounts in requests exactly, or refuses them with an error code.

import type { Schema } from '@counterfoil/kit/http/openapi/document';
import { amountOrZeroForm, positiveAmountForm } from '@counterfoil/kit/http/openapi/forms';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { getDecimals, parseMinor, type Unit } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { fail } from '../errors.ts';

/**
 * A schema that accepts any JSON value, because only the code can answer a wrong amount with
 * `invalid_amount`.
 */
const anyAmount = (description: string, form: Schema) =>
  shownAs(Type.Unsafe<unknown>({ description, examples: [12.5, '12.50'] }), form);

export const Amount = anyAmount(
  'A JSON number or a plain decimal string, greater than zero, with no more decimals than the package has.',
  positiveAmountForm,
);

export const AmountOrZero = anyAmount(
  'A JSON number or a plain decimal string, zero or more, with no more decimals than the package has.',
  amountOrZeroForm,
);

/** The amount of a limit; null removes the limit. */
export const AmountOrNull = anyAmount(
  'A JSON number or a plain decimal string, greater than zero, with no more decimals than the package has; ' +
    'null for no limit.',
  { anyOf: [positiveAmountForm, { type: 'null' }] },
);

export function parseAmount(
  given: unknown,
  options: { unit: Unit; field?: string; zero?: 'refused' | 'allowed' },
): bigint {
  const { unit, field = 'amount', zero = 'refused' } = options;
  if (given === undefined || given === null) {
    throw fail('invalid_parameter', { errors: { [field]: ['is required.'] } });
  }
  const minor = parseMinor(given, unit);
  if (minor === undefined || (minor === 0n && zero === 'refused')) {
    const range = zero === 'refused' ? 'greater than zero' : 'of zero or more';
    const sentence = `must be an exact amount of ${describeUnit(unit)} ${range}.`;
    throw fail('invalid_amount', { errors: { [field]: [sentence] } });
  }
  return minor;
}

/**
 * Describes the unit of a package's amounts. The text names the decimals only if they differ from the
 * decimals of the currency.
 */
const describeUnit = ({ currency, decimals }: Unit): string =>
  decimals === getDecimals(currency) ? currency : `${currency} with up to ${decimals} decimals`;
