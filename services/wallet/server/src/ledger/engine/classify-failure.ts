// What a failed write means for money: surely not applied, or not known.
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/db';

/** Classes of SQLSTATE after which the server has surely rolled back. */
const surelyRolledBack = /^(?:22|23|40|42|53|54|55|P0)|^57014$/;

/**
 * An error is not a "no". Only a connection that never came about, the server's own refusal of the
 * statement, or a mistake of ours before sending proves that nothing was applied; whatever was lost
 * after sending may have been.
 */
export function judgeFailure(
  error: unknown,
): 'unavailable' | 'overloaded' | 'outcome_unknown' | 'internal_error' {
  const isLost = error instanceof DatabaseUnavailableError;
  if (isLost && error.neverSent) return 'unavailable';
  const { code } = ((isLost ? error.cause : error) ?? {}) as { code?: unknown };
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  if (isState && surelyRolledBack.test(code)) {
    // Too slow, locked out or short of resources: the same order may go through in a moment.
    return /^(?:53|55|40)|^57014$/.test(code) ? 'overloaded' : 'internal_error';
  }
  return isLost || isState ? 'outcome_unknown' : 'internal_error';
}
