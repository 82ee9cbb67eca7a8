// The error of a command that changed nothing: a sentence for the operator, and the reason.
import { PlainError } from './plain-error.ts';

/** Wrong arguments, something that does not exist, or an unavailable server. */
export type RefusalReason = 'usage' | 'not_found' | 'unavailable';

/** The message is one sentence for the operator. */
export class CommandRefused extends PlainError {
  override readonly name = 'CommandRefused';
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'usage') {
    super(message);
    this.reason = reason;
  }
}
