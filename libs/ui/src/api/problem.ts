// Errors of the service, and the sentences that the panel shows for them.
import { words } from '../strings.ts';

export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  /** The seconds to wait, from the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** The messages for each invalid field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Further facts about the error, such as the limit that was exceeded. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    body: {
      code?: string;
      msg?: string;
      request_id?: string;
      errors?: Record<string, string[]>;
      data?: Record<string, unknown>;
    },
    retryAfterSeconds?: number,
  ) {
    super(body.msg ?? words.problem.unknown);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id ?? '';
    this.errors = body.errors ?? {};
    this.data = body.data ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the service answered with this error code. */
export const isProblem = (error: unknown, code: string): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code;

/**
 * Returns the sentence that the panel shows for an error. If the service did not answer, the sentence is
 * about the network. If the panel has its own text for the error code, returns that text, otherwise the
 * message of the service. A message about a field begins with the field's name.
 */
export function describeProblem(error: unknown, nameField = formatField): string {
  if (!(error instanceof ApiProblem)) return words.problem.network;
  const own = (words.problem.byCode as Record<string, string | undefined>)[error.code];
  if (own) return own;
  const { retryAfterSeconds } = error;
  if (error.code === 'rate_limited' && retryAfterSeconds) return words.problem.tooMany(retryAfterSeconds);
  const fields = Object.entries(error.errors);
  if (fields.length === 0) return error.message;
  return fields.map(([field, sentences]) => `${nameField(field)} ${sentences.join(' ')}`).join(' ');
}

/** `buyer.new_email` becomes “Buyer new email”. */
function formatField(field: string): string {
  const plain = field.replaceAll(/[._]+/g, ' ').trim();
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** Returns the messages for one field as one text. */
export function findFieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  return error.errors[field]?.join(' ');
}
