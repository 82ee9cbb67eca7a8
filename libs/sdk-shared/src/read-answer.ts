// Reads the result of an attempt: the service's answer, or a failure and its known outcome.
import type { Answered, Lost } from './attempt.ts';
import type { ErrorDetails } from './counterfoil-error.ts';

export interface ReadAnswer {
  /** Parsed, where the service said that it is done. */
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

/** `writes`: whether the call changes anything at all. */
export function readAnswer(given: Answered | Lost, writes: boolean): ReadAnswer {
  const unknown = writes ? ('unknown' as const) : ('not_applied' as const);
  if (given.kind === 'lost') return { failure: describeLost(given, unknown) };
  const body = parse(given.text);
  if (body?.status === 'success' && isSuccess(given.status)) return { answer: body };
  if (body?.status !== 'error' || typeof body.code !== 'string') {
    return {
      failure: {
        code: 'unreadable_answer',
        message: `The answer (HTTP ${given.status}) is not the service's.`,
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
  aborted: 'The call was given up by its caller.',
  answer_too_large: 'The answer is larger than this client takes.',
  network_error: 'The service cannot be reached, or the connection was lost.',
  timeout: 'The service did not answer in time.',
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
    // Every other code says that nothing was applied.
    outcome: body.code === 'outcome_unknown' ? unknown : 'not_applied',
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

/** Seconds, or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
