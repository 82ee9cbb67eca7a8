// Errors whose message is enough for an operator. They are printed without a stack trace.
export class PlainError extends Error {
  override readonly name: string = 'PlainError';
}

/** The reason of a refusal: wrong arguments, an object that does not exist, or an unavailable server. */
export type RefusalReason = 'usage' | 'not_found' | 'unavailable';

/**
 * The error of a command that refuses to run and has changed nothing. The message is one sentence for the
 * operator.
 */
export class CommandRefused extends PlainError {
  override readonly name = 'CommandRefused';
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'usage') {
    super(message);
    this.reason = reason;
  }
}
