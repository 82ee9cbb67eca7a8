// The parameters of a request: all values by name. Repeated parameters must have equal values.
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { fail } from '../errors.ts';

/**
 * The values of the requested parameters by name, in the order in which they were sent. Null values are left
 * out.
 */
export type Found = ReadonlyMap<string, readonly unknown[]>;

export type BodyReading =
  | { readonly found: Found }
  | { readonly refused: 'invalid_body' | 'unsupported_media_type' };

export const nothingFound: BodyReading = { found: new Map() };

/**
 * Returns the value if all values are equal, or `conflict` if two values differ. Empty texts are ignored if
 * there is another value. `same` normalises texts before the comparison.
 */
export function agree(
  values: readonly unknown[],
  same: (text: string) => string = (text) => text,
): { value: unknown } | 'conflict' {
  if (values.length === 1) return { value: values[0] };
  const sent = values.filter((value) => value !== '');
  const [first, ...others] = sent;
  const normalise = (value: unknown) => (typeof value === 'string' ? same(value) : value);
  if (others.some((other) => normalise(other) !== normalise(first))) return 'conflict';
  return { value: first ?? values[0] };
}

/** The values of a query parameter as a list. The query has a text for one value, and a list for several. */
export function listQueryValues(query: unknown, name: string): readonly unknown[] {
  const value = (query as Record<string, unknown>)[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export const refuseTwoValues = (request: FastifyRequest, name: string) => {
  const msg = request.routeOptions.config.invalidParameterMsg;
  return fail('invalid_parameter', {
    ...(msg !== undefined && { msg }),
    errors: { [name]: ['is given twice with different values.'] },
  });
};

/**
 * Replaces a repeated query parameter by its common value, and refuses different values. Removes a parameter
 * with an empty value.
 */
export const settleQuery =
  (names: readonly string[]): preValidationHookHandler =>
  (request, _reply, done) => {
    const query = request.query as Record<string, unknown>;
    for (const name of names) {
      const values = listQueryValues(query, name);
      if (values.length === 0) continue;
      const agreed = agree(values);
      if (agreed === 'conflict') {
        done(refuseTwoValues(request, name));
        return;
      }
      if (agreed.value === '') delete query[name];
      else query[name] = agreed.value;
    }
    done();
  };
