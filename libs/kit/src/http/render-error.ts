// Turns every failure into an error answer.
import type { FastifyError } from 'fastify';
import { DatabaseUnavailableError } from '../postgres/db.ts';
import {
  type FailureDetails,
  type FieldErrors,
  ServiceError,
  type ServiceErrors,
  type TransportErrorCode,
} from './errors.ts';

/** Our codes for the errors that Fastify itself raises. */
const frameworkCodes: Record<string, TransportErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
};

/**
 * Converts any error to the `ServiceError` that the client sees, with `retry-after` for status 429 and 503.
 */
export function toServiceError(
  error: unknown,
  errors: ServiceErrors<TransportErrorCode>,
  invalidParameterMsg?: string,
): ServiceError {
  if (error instanceof ServiceError) return withRetryAfter(error);
  return withRetryAfter(translate(error as FastifyError, errors, invalidParameterMsg));
}

/** Returns the status, headers and body of an error answer. Errors with a status from 500 on are logged. */
export function presentFailure(
  error: unknown,
  given: {
    errors: ServiceErrors<TransportErrorCode>;
    requestId: string;
    log: Record<'error' | 'warn', (line: object, msg: string) => void>;
    invalidParameterMsg?: string | undefined;
  },
): { code: string; status: number; headers: Record<string, string>; body: string } {
  const failure = toServiceError(error, given.errors, given.invalidParameterMsg);
  const { code, status, details } = failure;
  const { challenge } = given.errors;
  if (status >= 500) {
    const level = code === 'internal_error' ? 'error' : 'warn';
    given.log[level]({ err: details.cause ?? failure, code }, 'failed');
  }
  return {
    code,
    status,
    headers: {
      'x-request-id': given.requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 401 && challenge !== undefined && { 'www-authenticate': challenge }),
      ...details.headers,
    },
    body: JSON.stringify({ ...failure.toBody(given.requestId), ...details.extras }),
  };
}

function translate(
  error: FastifyError,
  errors: ServiceErrors<TransportErrorCode>,
  invalidParameterMsg?: string,
): ServiceError {
  if (error.validation) {
    const whole = error.validation.some((each) => each.instancePath === '' && each.keyword === 'type');
    if (whole) return errors.fail('invalid_body', { errors: { body: ['must be a JSON object.'] } });
    const details: FailureDetails = { errors: describeValidation(error.validation) };
    return errors.fail('invalid_parameter', {
      ...details,
      ...(invalidParameterMsg !== undefined && { msg: invalidParameterMsg }),
    });
  }
  if (error instanceof DatabaseUnavailableError) return errors.fail('unavailable', { cause: error });
  const known = frameworkCodes[error.code];
  if (known) return errors.fail(known);
  // The body parsers throw plain errors with status 400 for JSON that is broken or contains `__proto__`.
  if (error.statusCode === 400) return errors.fail('invalid_body');
  return errors.fail('internal_error', { cause: error });
}

/** Adds the `retry-after` header that every 429 and 503 answer has. */
function withRetryAfter(error: ServiceError): ServiceError {
  const wanted = error.status === 429 || error.status === 503;
  if (!wanted || error.details.headers?.['retry-after']) return error;
  return error.with({ headers: { ...error.details.headers, 'retry-after': '1' } });
}

const maxNameLength = 100;

/** A field's name as the client wrote it, shortened for the error answer. */
export const shortenName = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name || '""';

type Validation = NonNullable<FastifyError['validation']>;
type Problem = Validation[number];

function describeValidation(validation: Validation): FieldErrors {
  // This is a map and not an object, because a client may send a field called `toString`.
  const byField = new Map<string, string[]>();
  for (const problem of mergeBranches(validation)) {
    const missing = problem.params.missingProperty;
    const path = problem.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
    const unknown = problem.params.additionalProperty;
    if (typeof missing === 'string') path.push(missing);
    if (typeof unknown === 'string') path.push(shortenName(unknown));
    const field = path.join('.');
    const sentences = byField.get(field || 'body') ?? [];
    const sentence = describeProblem(problem);
    if (!sentences.includes(sentence)) byField.set(field || 'body', [...sentences, sentence]);
  }
  return Object.fromEntries(byField);
}

/**
 * Replaces the problems of each union by the problems of the branch that `findMeantBranch` finds. If it finds
 * none, replaces them by one problem that lists what the branches accept.
 */
function mergeBranches(validation: Validation): Validation {
  const unions = validation.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const branchesOf = (union: Problem) =>
    validation.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/`));
  const inBranches = new Set(unions.flatMap(branchesOf));
  return validation
    .filter((problem) => !inBranches.has(problem))
    .flatMap((problem) => {
      if (!unions.includes(problem)) return problem;
      const branches = branchesOf(problem);
      const meant = findMeantBranch(problem, branches);
      if (meant) return mergeBranches(meant);
      return { ...problem, params: { wanted: listWanted(branches) } };
    });
}

/**
 * If exactly one branch of a union accepts the type of the value, returns the problems of this branch.
 * Otherwise returns undefined, because it is not clear which branch the client meant.
 */
function findMeantBranch(union: Problem, branches: Validation): Validation | undefined {
  const byBranch = new Map<string, Validation>();
  for (const problem of branches) {
    const [branch = ''] = problem.schemaPath.slice(union.schemaPath.length + 1).split('/', 1);
    byBranch.set(branch, [...(byBranch.get(branch) ?? []), problem]);
  }
  const isOfType = ({ keyword, instancePath }: Problem) =>
    instancePath !== union.instancePath || (keyword !== 'type' && keyword !== 'const');
  const fitting = [...byBranch.values()].filter((problems) => problems.every(isOfType));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/**
 * Returns the accepted types or values as words. The list is empty if the branches also differ in other
 * rules.
 */
function listWanted(branches: Validation): string[] {
  const wanted = branches.map(({ keyword, params }) => {
    if (keyword === 'const') return JSON.stringify(params.allowedValue);
    return keyword === 'type' ? withArticle(String(params.type)) : undefined;
  });
  return wanted.includes(undefined) ? [] : [...new Set(wanted as string[])];
}

/**
 * The sentence that replaces each pattern for numbers in a URL, because people should not have to read
 * patterns.
 */
const numberPatterns: Readonly<Record<string, string>> = {
  '^([1-9][0-9]?|100)$': 'must be a whole number from 1 to 100.',
  '^([2-9]|[1-9][0-9]{1,3})$': 'must be a whole number from 2 to 9999.',
  '^[0-9]{1,3}$': 'must be a whole number of at most 3 digits.',
  '^[0-9]{1,18}$': 'must be a whole number of at most 18 digits.',
  '^[1-9][0-9]{0,8}$': 'must be a whole number above zero, of at most 9 digits.',
  '^[1-9][0-9]{0,17}$': 'must be a whole number above zero, of at most 18 digits.',
  '^0*[1-9][0-9]*$': 'must be a whole number above zero.',
};

const entries = (limit: unknown) => (limit === 1 ? '1 entry' : `${limit} entries`);
const comparisons: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};

function describeProblem(problem: Problem): string {
  const { params } = problem;
  switch (problem.keyword) {
    case 'required':
      return 'is required.';
    case 'type':
      return `must be ${String(params.type).split(',').map(withArticle).join(' or ')}.`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty.' : `must have at least ${params.limit} characters.`;
    case 'maxLength':
      return `must have at most ${params.limit} characters.`;
    case 'pattern':
      return numberPatterns[String(params.pattern)] ?? 'has characters or a form that are not allowed.';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}.`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${comparisons[String(params.comparison)]} ${params.limit}.`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${entries(params.limit)}.`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${entries(params.limit)}.`;
    case 'uniqueItems':
      return 'must not have the same entry twice.';
    case 'additionalProperties':
      return 'is not a field of this request.';
    case 'anyOf':
    case 'oneOf': {
      const wanted = params.wanted as string[];
      return wanted.length > 0 ? `must be ${wanted.join(' or ')}.` : 'is not valid.';
    }
    default:
      return 'is not valid.';
  }
}

function withArticle(noun: string): string {
  if (noun === 'null') return noun;
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
