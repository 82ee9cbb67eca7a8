// Turns whatever went wrong into the one error shape.
import type { FastifyError } from 'fastify';
import { DatabaseUnavailableError } from './db.ts';
import {
  type FailureDetails,
  type FieldErrors,
  ServiceError,
  type ServiceErrors,
  type TransportErrorCode,
} from './errors.ts';

/** Fastify's own refusals, by its code, in our words. */
const frameworkCodes: Record<string, TransportErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
};

export function toServiceError(
  error: unknown,
  errors: ServiceErrors<TransportErrorCode>,
  invalidParameterMsg?: string,
): ServiceError {
  if (error instanceof ServiceError) return withRetryAfter(error);
  return withRetryAfter(translate(error as FastifyError, errors, invalidParameterMsg));
}

function translate(
  error: FastifyError,
  errors: ServiceErrors<TransportErrorCode>,
  invalidParameterMsg?: string,
): ServiceError {
  if (error.validation) {
    const whole = error.validation.some(
      (each) => each.instancePath === '' && each.keyword === 'type',
    );
    if (whole) return errors.fail('invalid_body', { errors: { body: ['must be a JSON object.'] } });
    const details: FailureDetails = { errors: describeValidation(error.validation) };
    return errors.fail('invalid_parameter', {
      ...details,
      ...(invalidParameterMsg !== undefined && { msg: invalidParameterMsg }),
    });
  }
  if (error instanceof DatabaseUnavailableError)
    return errors.fail('unavailable', { cause: error });
  const known = frameworkCodes[error.code];
  if (known) return errors.fail(known);
  // The body parsers throw plain errors of status 400 for JSON that is broken or poisoned.
  if (error.statusCode === 400) return errors.fail('invalid_body');
  return errors.fail('internal_error', { cause: error });
}

/** Every 429 and 503 says when to come back. */
function withRetryAfter(error: ServiceError): ServiceError {
  const wanted = error.status === 429 || error.status === 503;
  if (!wanted || error.details.headers?.['retry-after']) return error;
  return new ServiceError(error.code, error, {
    ...error.details,
    headers: { ...error.details.headers, 'retry-after': '1' },
  });
}

type Validation = NonNullable<FastifyError['validation']>;

function describeValidation(validation: Validation): FieldErrors {
  const byField: FieldErrors = {};
  for (const problem of validation) {
    const missing = problem.params.missingProperty;
    const path = problem.instancePath.split('/').slice(1);
    if (typeof missing === 'string') path.push(missing);
    const field = path.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~')).join('.');
    const sentences = byField[field || 'body'] ?? [];
    const sentence = describeProblem(problem);
    if (!sentences.includes(sentence)) byField[field || 'body'] = [...sentences, sentence];
  }
  return byField;
}

function describeProblem(problem: Validation[number]): string {
  const { params } = problem;
  switch (problem.keyword) {
    case 'required':
      return 'is required.';
    case 'type':
      return `must be ${withArticle(String(params.type))}.`;
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty.'
        : `must have at least ${params.limit} characters.`;
    case 'maxLength':
      return `must have at most ${params.limit} characters.`;
    case 'pattern':
      return 'has characters or a form that are not allowed.';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}.`;
    default:
      return `${problem.message ?? 'is not valid'}.`;
  }
}

const withArticle = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);
