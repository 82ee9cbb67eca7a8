// Failures that are not decisions of the rules, and whether the failed order may have been applied.
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/db';

export type FailureCode = 'overloaded' | 'unavailable' | 'outcome_unknown' | 'internal_error';

/** After `outcome_unknown` the order may have been applied. After every other code it was not applied. */
export class LedgerFailure extends Error {
  override readonly name = 'LedgerFailure';
  readonly code: FailureCode;

  constructor(code: FailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Classes of SQLSTATE after which the server has certainly rolled back. */
const rolledBackStates = /^(?:22|23|40|42|53|54|55|P0)|^57014$/;

/**
 * After most errors, it is unknown whether the statement was applied. In three cases the statement was
 * certainly not applied: there was no connection, the server rejected the statement, or our own code failed
 * before it sent the statement.
 */
export function classifyFailure(error: unknown): FailureCode {
  const isLost = error instanceof DatabaseUnavailableError;
  if (isLost && error.neverSent) return 'unavailable';
  const { code } = ((isLost ? error.cause : error) ?? {}) as { code?: unknown };
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  if (isState && rolledBackStates.test(code)) {
    // The statement timed out, did not get a lock, lacked resources, or was rolled back because of a deadlock
    // or a concurrent transaction. A repeat may succeed.
    return /^(?:53|55|40)|^57014$/.test(code) ? 'overloaded' : 'internal_error';
  }
  return isLost || isState ? 'outcome_unknown' : 'internal_error';
}
