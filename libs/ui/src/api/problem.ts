// A refusal of the service, as the panel shows it to a person.
import { words } from '../strings.ts';

export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  /** When it may be asked again, where the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Field → sentences, where a field is at fault. */
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(
    status: number,
    body: {
      code?: string;
      msg?: string;
      request_id?: string;
      errors?: Record<string, string[]>;
    },
    retryAfterSeconds?: number,
  ) {
    super(body.msg ?? words.problem.unknown);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.requestId = body.request_id ?? '';
    this.errors = body.errors ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The browser is on its way to the sign-in page, so there is no failure to show. */
export const isNotSignedIn = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'not_signed_in';

/** One sentence for a person: what the panel words itself, else what the service said. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof ApiProblem)) return words.problem.network;
  const own = (words.problem.byCode as Record<string, string | undefined>)[error.code];
  if (own) return own;
  const { retryAfterSeconds } = error;
  if (error.code === 'rate_limited' && retryAfterSeconds)
    return words.problem.tooMany(retryAfterSeconds);
  const fields = Object.entries(error.errors);
  if (fields.length === 0) return error.message;
  return fields
    .map(([field, sentences]) => `${formatField(field)} ${sentences.join(' ')}`)
    .join(' ');
}

/** `buyer.new_email` is for programs; a person reads “Buyer new email”. */
function formatField(field: string): string {
  const plain = field.replaceAll(/[._]+/g, ' ').trim();
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** The sentences of one field, for the input that holds it. */
export function findFieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  return error.errors[field]?.join(' ');
}
