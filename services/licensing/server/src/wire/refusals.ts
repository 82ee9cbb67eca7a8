// Errors that several slices share: invalid fields, fields that belong to another operation, and too many
// failures.
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { type Throttle, throttleHeaders } from '@counterfoil/kit/http/throttle';
import type { preValidationHookHandler } from 'fastify';
import { fail } from '../errors.ts';

/** The error for one invalid field. */
export const refuseField = (field: string, sentence: string): ServiceError =>
  fail('invalid_parameter', { errors: { [field]: [sentence] } });

/** Collects problems by field, so that one answer names all of them. */
export class Problems {
  private readonly byField: Record<string, string[]> = {};

  add(field: string, sentence: string): undefined {
    this.byField[field] = [...(this.byField[field] ?? []), sentence];
    return undefined;
  }

  throwIfAny(): void {
    if (Object.keys(this.byField).length > 0) throw fail('invalid_parameter', { errors: this.byField });
  }
}

/**
 * Makes a hook that refuses a body with any field of `sentences`. Each sentence names the operation that
 * accepts the field.
 */
export const refuseFields =
  (sentences: Readonly<Record<string, string>>): preValidationHookHandler =>
  (request, _reply, done) => {
    const problems = new Problems();
    for (const [field, sentence] of Object.entries(sentences)) {
      if (Object.hasOwn(request.body ?? {}, field)) problems.add(field, sentence);
    }
    problems.throwIfAny();
    done();
  };

/** A 429 error. Its headers name the limit that was reached and the time to wait. */
export const refuseTooMany = (
  policy: string,
  throttle: Throttle,
  counted: { retryAfterSeconds: number },
): ServiceError => fail('rate_limited', { headers: throttleHeaders(policy, throttle, counted) });
