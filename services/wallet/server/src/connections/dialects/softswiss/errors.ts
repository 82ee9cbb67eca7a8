// Errors of the SoftSwiss protocol: HTTP 400, or 500 for failures of the wallet. `meta.api_code` is the
// reason.
import { quoteText } from '@counterfoil/kit/http/read-json';
import type { EarlyFailure, FailureCode, ProviderResponse } from '../dialect.ts';

export interface DialectError {
  readonly apiCode: string;
  readonly message: string;
  /**
   * True for failures of the wallet itself. The provider then repeats the request. This is safe, because the
   * wallet applies each transaction only once.
   */
  readonly isRetryable?: boolean;
  /** True if the protocol requires the player's balance with this code. */
  readonly showsBalance?: boolean;
}

const validation = (message: string): DialectError => ({ apiCode: '400', message });

export const internalError: DialectError = { apiCode: '500', message: 'internal error', isRetryable: true };
export const notFound: DialectError = { apiCode: '404', message: 'not found' };
export const currencyNotAllowed: DialectError = { apiCode: '154', message: 'currency not allowed' };

const invalidSignature: DialectError = { apiCode: '403', message: 'invalid signature' };

export const failures: Readonly<Record<FailureCode, DialectError>> = {
  player_not_found: { apiCode: '101', message: 'invalid player' },
  player_blocked: { apiCode: '110', message: 'player disabled' },
  // The dialect checks no sessions, so the two failures of sessions do not occur.
  session_not_found: validation('session_id: unknown session'),
  session_expired: validation('session_id: session expired'),
  insufficient_funds: { apiCode: '100', message: 'insufficient funds', showsBalance: true },
  balance_limit: validation('balance limit reached'),
  bet_limit: { apiCode: '105', message: 'bet limit reached', showsBalance: true },
  bet_not_found: { apiCode: '404', message: 'transaction not found' },
  game_not_found: { apiCode: '107', message: 'game forbidden' },
  bet_rolled_back: { apiCode: '409', message: 'action already rolled back' },
  bet_refused: validation('bet was refused'),
  bet_already_settled: validation('bet is already settled'),
  round_closed: validation('round is finished'),
  round_not_found: { apiCode: '404', message: 'round not found' },
  not_a_bet: validation('original_id_provider: must name a bet or a win'),
  transaction_conflict: validation('differs from the first request with this id_provider'),
  internal_error: internalError,
  overloaded: internalError,
  unavailable: internalError,
  outcome_unknown: internalError,
};

export const earlyFailures: Readonly<Record<EarlyFailure, DialectError>> = {
  forged: invalidSignature,
  stale: invalidSignature,
  // The protocol has no code for a paused connection. A pause is a refusal and not a failure of the wallet,
  // so the code 500 is not used.
  paused: { apiCode: '107', message: 'connection paused' },
  too_large: validation('request body too large'),
  malformed: validation('malformed request'),
  not_found: notFound,
  internal_error: internalError,
  overloaded: internalError,
};

export function writeError(error: DialectError, balance?: string): ProviderResponse {
  const message = quoteText(error.message);
  const code = error.isRetryable ? 'internal' : 'invalid_argument';
  const shown = error.showsBalance && balance !== undefined ? `,"balance":"${balance}"` : '';
  return {
    status: error.isRetryable ? 500 : 400,
    body:
      `{"code":"${code}","msg":${message},` +
      `"meta":{"api_code":"${error.apiCode}","api_message":${message}${shown}}}`,
  };
}

/** Answers a request that breaks a rule of the protocol, with a message such as `currency: is required`. */
export const writeValidationError = (message: string): ProviderResponse => writeError(validation(message));
