// The errors of Valkyrie's PAM API, by the failures of the wallet that cause them.
import type { EarlyFailure, FailureCode } from '../dialect.ts';

export interface PamError {
  readonly status: number;
  readonly code: `PAM_ERR_${string}`;
  readonly message: string;
}

/**
 * The PAM API sends refusals with HTTP 200. A 4xx status means that the request itself is wrong. A 5xx status
 * means that the wallet failed.
 */
const pam = (code: PamError['code'], message: string, status = 200): PamError => ({ status, code, message });

/**
 * After this error, the game server repeats the request or cancels the transaction. So the outcome does not
 * stay unknown.
 */
const retry = (message: string, status = 503) => pam('PAM_ERR_TIMEOUT', message, status);

export const invalid = (message: string, status = 400): PamError => pam('PAM_ERR_UNDEFINED', message, status);

/** Errors that depend on the fields of the request, and not only on the failure code of the wallet. */
export const requestErrors = {
  apiToken: pam('PAM_ERR_API_TOKEN', 'The API token is missing or wrong.', 401),
  missingProvider: pam('PAM_ERR_MISSING_PROVIDER', 'The query must name the provider.', 400),
  currency: pam('PAM_ERR_TRANS_CURRENCY', "The currency is not that of the player's account."),
  negative: pam('PAM_ERR_NEGATIVE_STAKE', 'The amount is negative.'),
  bonusOverdraft: pam('PAM_ERR_BONUS_OVERDRAFT', 'The player has no bonus money.'),
  promoOverdraft: pam('PAM_ERR_PROMO_OVERDRAFT', 'The player does not have enough promo money.'),
  cancelNotFound: pam('PAM_ERR_CANCEL_NOT_FOUND', 'There is no withdrawal to cancel.'),
  alreadyCancelled: pam('PAM_ERR_TRANS_ALREADY_CANCELLED', 'The withdrawal was cancelled.'),
  transactionNotFound: pam('PAM_ERR_TRANS_NOT_FOUND', 'There is no such transaction.'),
} satisfies Record<string, PamError>;

const duplicate = 'The transaction id was used for another player, game, round or amount.';
const settled = 'The round or the bet is settled.';
const unknownRound = 'There is no bet in an open round for this deposit.';

export const failureErrors: Record<FailureCode, PamError> = {
  player_not_found: pam('PAM_ERR_PLAYER_NOT_FOUND', 'There is no such player.'),
  player_blocked: pam('PAM_ERR_BET_NOT_ALLOWED', 'The player is blocked.'),
  session_not_found: pam('PAM_ERR_SESSION_NOT_FOUND', 'There is no such session.', 401),
  session_expired: pam('PAM_ERR_SESSION_EXPIRED', 'The session has expired.'),
  insufficient_funds: pam('PAM_ERR_CASH_OVERDRAFT', 'The player does not have enough money.'),
  balance_limit: pam('PAM_ERR_UNDEFINED', 'The balance would exceed its limit.'),
  bet_limit: pam('PAM_ERR_BET_NOT_ALLOWED', 'The stake exceeds the limit of the player.'),
  bet_not_found: pam('PAM_ERR_TRANS_NOT_FOUND', unknownRound),
  bet_rolled_back: requestErrors.alreadyCancelled,
  bet_refused: pam('PAM_ERR_TRANS_NOT_FOUND', 'The bet of this deposit was refused.'),
  bet_already_settled: pam('PAM_ERR_TRANS_ALREADY_SETTLED', settled),
  round_closed: pam('PAM_ERR_TRANS_ALREADY_SETTLED', settled),
  round_not_found: pam('PAM_ERR_ROUND_NOT_FOUND', 'There is no such game round.'),
  game_not_found: pam('PAM_ERR_GAME_NOT_FOUND', 'There is no such game.'),
  not_a_bet: pam('PAM_ERR_CANCEL_NON_WITHDRAW', 'Only a withdrawal can be cancelled.'),
  transaction_conflict: pam('PAM_ERR_DUPLICATE_TRANS', duplicate),
  internal_error: retry('The wallet failed. Send the request again.', 500),
  overloaded: retry('The wallet is overloaded. Send the request again.'),
  unavailable: retry('The wallet is not available. Send the request again.'),
  outcome_unknown: retry('The outcome is unknown. Send the request again to learn it.'),
};

export const earlyErrors: Record<EarlyFailure, PamError> = {
  forged: requestErrors.apiToken,
  stale: requestErrors.apiToken,
  // A pause is a refusal and not a failure of the wallet, so the status is not 5xx. With this error, the game
  // server still sends the request again.
  paused: retry('The connection is paused. Send the request again later.', 200),
  too_large: invalid('The body is too large.'),
  malformed: invalid('The request is malformed.'),
  not_found: invalid('There is no such address.', 404),
  internal_error: failureErrors.internal_error,
  overloaded: failureErrors.overloaded,
};
