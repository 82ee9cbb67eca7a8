// Errors of the Slotegrator protocol: always HTTP 200, one of two codes, and a description of the reason.
import { quoteText } from '@counterfoil/kit/http/read-json';
import type { EarlyFailure, FailureCode, ProviderResponse } from '../dialect.ts';

/**
 * The description of the wallet's own failures. After any error, the provider repeats wins, refunds and
 * rollbacks. If a bet gets no answer, the provider refunds the bet.
 */
const ourFailure = 'internal error';

/**
 * The description of each failure. Every failure has the code INTERNAL_ERROR, except `insufficient_funds`.
 */
export const failures: Readonly<Record<FailureCode, string>> = {
  player_not_found: 'player not found',
  player_blocked: 'player blocked',
  // The dialect checks no sessions, so the two failures of sessions do not occur.
  session_not_found: 'session not found',
  session_expired: 'session expired',
  insufficient_funds: 'insufficient funds',
  balance_limit: 'balance limit reached',
  bet_limit: 'bet limit reached',
  bet_not_found: 'bet not found',
  game_not_found: 'game not found',
  bet_rolled_back: 'transaction was refunded or rolled back before',
  bet_refused: 'bet was refused',
  bet_already_settled: 'bet is already settled',
  round_closed: 'round is finished',
  round_not_found: 'round not found',
  not_a_bet: 'transaction cannot be refunded or rolled back',
  transaction_conflict: 'transaction_id was used for another transaction',
  internal_error: ourFailure,
  overloaded: ourFailure,
  unavailable: ourFailure,
  outcome_unknown: ourFailure,
};

export const earlyFailures: Readonly<Record<EarlyFailure, string>> = {
  forged: 'invalid signature',
  stale: 'request expired or repeated',
  paused: 'connection paused',
  too_large: 'request body too large',
  malformed: 'malformed request',
  not_found: 'not found',
  internal_error: ourFailure,
  overloaded: ourFailure,
};

type ErrorCode = 'INSUFFICIENT_FUNDS' | 'INTERNAL_ERROR';

export const writeError = (description: string, code: ErrorCode = 'INTERNAL_ERROR'): ProviderResponse => ({
  status: 200,
  body: `{"error_code":"${code}","error_description":${quoteText(description)}}`,
});

export const writeFailure = (code: FailureCode, field?: string): ProviderResponse =>
  writeError(
    code === 'transaction_conflict' && field !== undefined ? `${failures[code]}: ${field}` : failures[code],
    code === 'insufficient_funds' ? 'INSUFFICIENT_FUNDS' : 'INTERNAL_ERROR',
  );
