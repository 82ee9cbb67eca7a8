// The error that every call throws: the reason, whether a retry may succeed, and whether the call was
// applied.

/** Whether a failed call was applied. Reads change nothing, so their outcome is `not_applied`. */
export type Outcome = 'applied' | 'not_applied' | 'unknown';

export interface ErrorDetails {
  /** The code of the service, or a `LocalCode` if the client itself detected the failure. */
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

/** The ids by which the service recognises a repeated call. */
export interface CallIds {
  readonly transactionId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Codes of failures that the client detects itself. */
export type LocalCode =
  | 'aborted'
  | 'answer_too_large'
  | 'invalid_amount'
  | 'network_error'
  | 'signature_invalid'
  | 'timeout'
  | 'unreadable_answer';

export class CounterfoilError extends Error {
  override readonly name = 'CounterfoilError';
  readonly code: string;
  /** The HTTP status, or undefined if there was no response. */
  readonly status: number | undefined;
  /** Identifies the call in the logs of the service. */
  readonly requestId: string | undefined;
  /** Whether the same call, with the same id, may succeed later. */
  readonly retryable: boolean;
  readonly outcome: Outcome;
  /** The wait that the service asked for with Retry-After. */
  readonly retryAfterMs: number | undefined;
  /** The messages for each invalid field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Additional data of the error answer, such as the balance if the funds are insufficient. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The number of attempts, including an aborted attempt. */
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
