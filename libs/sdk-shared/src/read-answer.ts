// Converts the result of an attempt into the service's answer, or into a failure that says whether the call
// was applied.
import type { Answered, Lost } from './attempt.ts';
import type { ErrorDetails } from './counterfoil-error.ts';

export interface ReadAnswer {
  /** The parsed body of a successful response. */
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly failure?: ErrorDetails;
}

interface ErrorBody {
  readonly status: 'error';
  readonly code: string;
  readonly msg?: string;
  readonly request_id?: string;
  readonly retryable?: boolean;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Reads the result of an attempt. `writes` says whether the call changes anything. */
export function readAnswer(given: Answered | Lost, writes: boolean): ReadAnswer {
  const unknown = writes ? ('unknown' as const) : ('not_applied' as const);
  if (given.kind === 'lost') return { failure: describeLost(given, unknown) };
  const body = parse(given.text);
  if (body?.status === 'success' && isSuccess(given.status)) return { answer: body };
  if (body?.status !== 'error' || typeof body.code !== 'string') {
    return {
      failure: {
        code: 'unreadable_answer',
        message: `The response (HTTP ${given.status}) does not come from the service.`,
        status: given.status,
        retryable: given.status >= 500 || given.status === 429 || isSuccess(given.status),
        outcome: unknown,
        retryAfterMs: readRetryAfter(given.retryAfter),
      },
    };
  }
  return { failure: describeRefusal(given, body as unknown as ErrorBody, unknown) };
}

const sentences = {
  aborted: 'The caller aborted the call.',
  answer_too_large: 'The response is larger than the limit of this client.',
  network_error: 'The service cannot be reached, or the connection was lost.',
  timeout: 'The service did not respond in time.',
} as const;

function describeLost(
  { code, sent, accepted, cause }: Lost,
  unknown: 'unknown' | 'not_applied',
): ErrorDetails {
  const isDone = accepted === true && unknown === 'unknown';
  return {
    code,
    message: sentences[code],
    retryable: code === 'network_error' || code === 'timeout',
    outcome: isDone ? 'applied' : sent ? unknown : 'not_applied',
    cause,
  };
}

/** Codes after which it is unknown whether the service applied the call. */
const openOutcomes: ReadonlySet<string> = new Set(['outcome_unknown', 'signature_invalid']);

function describeRefusal(
  { status, retryAfter }: Answered,
  body: ErrorBody,
  unknown: 'unknown' | 'not_applied',
): ErrorDetails {
  return {
    code: body.code,
    message: `${body.msg ?? 'The service refused the call.'} (${body.code})`,
    status,
    requestId: body.request_id,
    retryable: body.retryable === true || status >= 500 || status === 429,
    // An error code that is not in `openOutcomes` means that nothing was applied.
    outcome: openOutcomes.has(body.code) ? unknown : 'not_applied',
    retryAfterMs: readRetryAfter(retryAfter),
    fields: body.errors,
    data: body.data,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the Retry-After header, which contains seconds or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
