// The one error that a call throws: what went wrong, whether to ask again, and what became of it.

/** What became of a call that failed. Reads change nothing, so theirs is `not_applied`. */
export type Outcome = 'applied' | 'not_applied' | 'unknown';

export interface ErrorDetails {
  /** The service's own code, or one of `LocalCode` where there was no answer of the service. */
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryable: boolean;
  readonly outcome: Outcome;
  readonly retryAfterMs?: number | undefined;
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** By what a call is known to the service, so that it can be sent or looked up again. */
export interface CallIds {
  readonly transactionId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Codes of failures that no service answered. */
export type LocalCode =
  | 'aborted'
  | 'answer_too_large'
  | 'invalid_amount'
  | 'network_error'
  | 'timeout'
  | 'unreadable_answer';

export class CounterfoilError extends Error {
  override readonly name = 'CounterfoilError';
  readonly code: string;
  /** Of HTTP; undefined where no answer came. */
  readonly status: number | undefined;
  /** Name it when you ask us about this call. */
  readonly requestId: string | undefined;
  /** Whether the same call, with the same id, may succeed later. */
  readonly retryable: boolean;
  readonly outcome: Outcome;
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** Field → sentences, where a field is at fault. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What the service added, such as the balance where there was too little. */
  readonly data: Readonly<Record<string, unknown>>;
  /** How many were made, the one that was given up included. */
  readonly attempts: number;
  readonly transactionId: string | undefined;
  readonly idempotencyKey: string | undefined;

  constructor(details: ErrorDetails, call: CallIds & { readonly attempts?: number } = {}) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryable = details.retryable;
    this.outcome = details.outcome;
    this.retryAfterMs = details.retryAfterMs;
    this.fields = details.fields ?? {};
    this.data = details.data ?? {};
    this.attempts = call.attempts ?? 0;
    this.transactionId = call.transactionId;
    this.idempotencyKey = call.idempotencyKey;
  }
}
