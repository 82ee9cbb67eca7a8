// The shape of every error answer, and the table of codes that each service defines.

export interface ErrorEntry {
  readonly status: number;
  readonly msg: string;
  readonly retryable: boolean;
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

export type FieldErrors = Record<string, string[]>;

export interface FailureDetails {
  /** Replaces the message of the error table. */
  readonly msg?: string;
  readonly errors?: FieldErrors;
  readonly data?: Record<string, unknown>;
  /** Additional top-level fields of the answer. They follow all other fields. */
  readonly extras?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** The underlying error. It appears only in the log, never in an answer. */
  readonly cause?: unknown;
}

export interface ErrorBody {
  status: 'error';
  code: string;
  msg: string;
  request_id: string;
  retryable: boolean;
  errors?: FieldErrors;
  data?: Record<string, unknown>;
}

/** An error that the client sees. Any code may throw it; `render-error.ts` writes the answer. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  readonly msg: string;
  readonly retryable: boolean;
  readonly details: FailureDetails;

  constructor(code: string, entry: ErrorEntry, details: FailureDetails = {}) {
    super(`${code}: ${details.msg ?? entry.msg}`, { cause: details.cause });
    this.code = code;
    this.status = entry.status;
    this.msg = details.msg ?? entry.msg;
    this.retryable = entry.retryable;
    this.details = details;
  }

  /** Returns the same error with additional details. */
  with(more: FailureDetails): ServiceError {
    return new ServiceError(this.code, this, { ...this.details, ...more });
  }

  toBody(requestId: string): ErrorBody {
    const body: ErrorBody = {
      status: 'error',
      code: this.code,
      msg: this.msg,
      request_id: requestId,
      retryable: this.retryable,
    };
    if (this.details.errors) body.errors = this.details.errors;
    if (this.details.data) body.data = this.details.data;
    return body;
  }
}

export const errorEntry = (status: number, msg: string, retryable = false): ErrorEntry => ({
  status,
  msg,
  retryable,
});

/**
 * The failures that do not depend on what a service does, such as an invalid request or an overload. Every
 * error table contains these codes.
 */
export const transportErrors = {
  malformed_request: errorEntry(400, 'The request is not valid HTTP'),
  invalid_body: errorEntry(400, 'The body could not be read'),
  invalid_parameter: errorEntry(400, 'A parameter is missing or malformed'),
  route_not_found: errorEntry(404, 'There is nothing at this address'),
  method_not_allowed: errorEntry(405, 'This address does not take that method'),
  request_timeout: errorEntry(408, 'The request took too long to arrive', true),
  body_too_large: errorEntry(413, 'The body is too large'),
  uri_too_long: errorEntry(414, 'The address is too long'),
  unsupported_media_type: errorEntry(415, 'This content type is not accepted'),
  expectation_failed: errorEntry(417, 'That expectation cannot be met'),
  rate_limited: errorEntry(429, 'Too many requests', true),
  headers_too_large: errorEntry(431, 'The headers are too large'),
  internal_error: errorEntry(500, 'Internal error'),
  overloaded: errorEntry(503, 'Service unavailable', true),
  unavailable: errorEntry(503, 'Service unavailable', true),
} as const satisfies ErrorTable;

export type TransportErrorCode = keyof typeof transportErrors;

/** The error table of a service, including every transport code. */
export interface ServiceErrors<Code extends string = string> {
  readonly table: Readonly<Record<Code, ErrorEntry>>;
  readonly fail: (code: Code, details?: FailureDetails) => ServiceError;
  /** The `WWW-Authenticate` header of every 401 answer that does not set the header itself. */
  readonly challenge?: string;
}

export function defineErrors<T extends ErrorTable & Record<TransportErrorCode, ErrorEntry>>(
  table: T,
  options: { readonly challenge?: string } = {},
): ServiceErrors<keyof T & string> {
  return {
    ...options,
    table,
    fail: (code, details) => new ServiceError(code, table[code] as ErrorEntry, details),
  };
}
