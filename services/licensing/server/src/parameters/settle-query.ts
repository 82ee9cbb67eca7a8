// Leaves one value of each query parameter, or refuses two that differ.
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { fail } from '../errors.ts';
import { agree, listQueryValues } from './parameters.ts';

export const refuseTwoValues = (request: FastifyRequest, name: string) => {
  const msg = request.routeOptions.config.invalidParameterMsg;
  return fail('invalid_parameter', {
    ...(msg !== undefined && { msg }),
    errors: { [name]: ['is given twice with different values.'] },
  });
};

/** An empty value counts as not sent. */
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
