// Distinguishes an unavailable database from a refused query.

/**
 * The database could not be reached, did not finish in time, or accepts no writes, or the connection was
 * lost. `cause` is the error of the driver.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** Whether there was no connection, so that the statement cannot have reached the server. */
  readonly neverSent: boolean;

  constructor(message: string, options: { cause?: unknown; neverSent?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.neverSent = options.neverSent ?? false;
  }
}

/**
 * Matches SQLSTATE codes of a lost connection, of a server that stops, has no free connection or is
 * read-only, and of a statement or lock that exceeded its time limit.
 */
const unavailableState = /^(08...|57P0[1-5]|53300|57014|55P03|25006)$/;
const unavailableMessage = new RegExp(
  [
    'connection terminated',
    'timeout exceeded when trying to connect',
    'query read timeout',
    'client has encountered a connection error',
    'connection error and is not queryable',
    'cannot use a pool after',
  ].join('|'),
  'i',
);

const connectFailed = /timeout exceeded when trying to connect|cannot use a pool after/i;

/** Wraps errors that mean that the database is unavailable. Returns all other errors unchanged. */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailableError) return error;
  const { code } = error as { code?: unknown };
  const unavailable =
    typeof code === 'string'
      ? unavailableState.test(code) || /^E[A-Z_]+$/.test(code)
      : unavailableMessage.test(error.message);
  if (!unavailable) return error;
  const neverSent =
    code === 'ECONNREFUSED' || code === '53300' || code === '57P03' || connectFailed.test(error.message);
  return new DatabaseUnavailableError(error.message, { cause: error, neverSent });
}
