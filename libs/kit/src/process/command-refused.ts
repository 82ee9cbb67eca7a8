// The error of a command that did nothing: a sentence for the terminal, and the reason for the exit status.
import { PlainError } from './plain-error.ts';

/** Why a command did nothing: wrongly asked, asked for what is not there, or nobody to ask. */
export type RefusalReason = 'usage' | 'not_found' | 'unavailable';

/** What the caller gave was wrong, unless another reason is named: said in one sentence. */
export class CommandRefused extends PlainError {
  override readonly name = 'CommandRefused';
  readonly reason: RefusalReason;

  constructor(message: string, reason: RefusalReason = 'usage') {
    super(message);
    this.reason = reason;
  }
}
