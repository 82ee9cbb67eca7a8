// Turns a failure of the ledger into the error of the contract.

import { fail } from '../errors.ts';
import { LedgerFailure } from './engine/ledger.ts';

/** What the ledger could not do, in the words of the contract. */
export function explainFailure(error: unknown): never {
  if (!(error instanceof LedgerFailure)) throw error;
  throw fail(error.code, { cause: error.cause ?? error });
}
