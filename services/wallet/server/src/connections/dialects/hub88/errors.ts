// The statuses of Hub88 and Caleta. Every answer has HTTP 200. Only the status in the body shows a refusal.
import type { EarlyFailure, FailureCode } from '../dialect.ts';

export type Status =
  | 'RS_OK'
  | 'RS_ERROR_UNKNOWN'
  | 'RS_ERROR_INVALID_PARTNER'
  | 'RS_ERROR_INVALID_TOKEN'
  | 'RS_ERROR_TOKEN_EXPIRED'
  | 'RS_ERROR_INVALID_GAME'
  | 'RS_ERROR_WRONG_CURRENCY'
  | 'RS_ERROR_NOT_ENOUGH_MONEY'
  | 'RS_ERROR_USER_DISABLED'
  | 'RS_ERROR_INVALID_SIGNATURE'
  | 'RS_ERROR_WRONG_SYNTAX'
  | 'RS_ERROR_WRONG_TYPES'
  | 'RS_ERROR_DUPLICATE_TRANSACTION'
  | 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST'
  | 'RS_ERROR_TRANSACTION_ROLLED_BACK'
  | 'RS_ERROR_LIMIT_REACHED'
  | 'RS_ERROR_BET_LIMIT_EXCEEDED';

/**
 * After this status, the provider repeats wins and rollbacks, and rolls bets back. This is safe, because each
 * transaction is applied only once.
 */
const retryable = 'RS_ERROR_UNKNOWN';

export const failures: Readonly<Record<FailureCode, Status>> = {
  // The protocol has no status for unknown players. `RS_ERROR_INVALID_TOKEN` is the closest status: Caleta's
  // guide describes it as "not associated to this player".
  player_not_found: 'RS_ERROR_INVALID_TOKEN',
  player_blocked: 'RS_ERROR_USER_DISABLED',
  session_not_found: 'RS_ERROR_INVALID_TOKEN',
  session_expired: 'RS_ERROR_TOKEN_EXPIRED',
  insufficient_funds: 'RS_ERROR_NOT_ENOUGH_MONEY',
  balance_limit: 'RS_ERROR_UNKNOWN',
  // Hub88's documents name two statuses after which the provider need not roll the bet back. They are this
  // status and NOT_ENOUGH_MONEY.
  bet_limit: 'RS_ERROR_LIMIT_REACHED',
  bet_not_found: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  game_not_found: 'RS_ERROR_INVALID_GAME',
  bet_rolled_back: 'RS_ERROR_TRANSACTION_ROLLED_BACK',
  // Hub88 uses `TRANSACTION_DOES_NOT_EXIST` also for a bet that "wasn't processed", such as a refused bet.
  bet_refused: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  // This failure never occurs, because rollbacks of Hub88 also undo settled bets.
  bet_already_settled: 'RS_ERROR_UNKNOWN',
  // The protocol has no status for rounds. After `RS_ERROR_UNKNOWN`, the provider rolls the bet back. This
  // rollback stores a tombstone, so a repeat of the bet is refused too.
  round_closed: 'RS_ERROR_UNKNOWN',
  round_not_found: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  // A rollback of a rollback can never succeed. After this status, Caleta stops repeating the request.
  not_a_bet: 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST',
  transaction_conflict: 'RS_ERROR_DUPLICATE_TRANSACTION',
  internal_error: retryable,
  overloaded: retryable,
  unavailable: retryable,
  outcome_unknown: retryable,
};

/** Finds the status of a failure. For the bet limit, the status of Caleta differs from that of Hub88. */
export const findStatus = (code: FailureCode, profile: string | undefined): Status =>
  code === 'bet_limit' && profile === 'caleta' ? 'RS_ERROR_BET_LIMIT_EXCEEDED' : failures[code];

export const earlyFailures: Readonly<Record<EarlyFailure, Status>> = {
  forged: 'RS_ERROR_INVALID_SIGNATURE',
  stale: 'RS_ERROR_INVALID_SIGNATURE',
  // `RS_ERROR_INVALID_PARTNER` means "Operator is disabled." Caleta still repeats wins and rollbacks after
  // this status.
  paused: 'RS_ERROR_INVALID_PARTNER',
  too_large: 'RS_ERROR_WRONG_SYNTAX',
  malformed: 'RS_ERROR_WRONG_SYNTAX',
  not_found: 'RS_ERROR_WRONG_SYNTAX',
  internal_error: retryable,
  overloaded: retryable,
};
