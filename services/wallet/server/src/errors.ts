// Every error that the wallet service can answer with: code, HTTP status and message.

import { signInErrors } from '@counterfoil/identity/errors';
import { defineErrors, type ErrorEntry, transportErrors } from '@counterfoil/kit/http/errors';
import { mailErrors } from '@counterfoil/mail/errors';
import { webhookErrors } from '@counterfoil/webhooks/endpoints/errors';

const entry = (status: number, msg: string, retryable = false): ErrorEntry => ({ status, msg, retryable });

const table = {
  ...transportErrors,
  ...signInErrors,
  ...webhookErrors,
  ...mailErrors,
  internal_error: entry(500, 'Something failed on our side; nothing was applied'),
  overloaded: entry(503, 'Too much to do right now; nothing was applied', true),
  unavailable: entry(503, 'The database cannot be reached; nothing was applied', true),

  auth_missing: entry(401, 'The headers X-UID, X-API-KEY and X-API-SECRET are required'),
  auth_invalid: entry(401, 'These credentials are not valid'),
  origin_not_allowed: entry(403, 'This Origin is not whitelisted for the package'),
  address_not_allowed: entry(403, 'This address is not on the allow-list of the package'),
  insufficient_scope: entry(403, 'This key pair may be used for callbacks only'),
  package_not_approved: entry(403, 'The package is not approved yet'),
  package_suspended: entry(403, 'The package is suspended'),
  player_not_found: entry(404, 'There is no such player'),
  game_not_found: entry(404, 'There is no such game'),
  game_unavailable: entry(403, 'This game cannot be played now'),
  upstream_unavailable: entry(503, 'The game provider cannot be reached; try again', true),
  transaction_not_found: entry(404, 'There is no such transaction (yet)', true),

  signature_invalid: entry(401, 'The signature or encryption does not verify'),
  timestamp_out_of_range: entry(401, 'The time of the request is too far from ours'),
  player_blocked: entry(403, 'The player is blocked and cannot bet'),
  session_expired: entry(403, 'The session is not running, so it takes no bet'),
  bet_limit: entry(422, 'The stake exceeds the limit of the player or the package'),
  bet_not_found: entry(404, 'There is no such bet (yet)', true),
  reference_required: entry(400, 'A rollback must name the bet that it takes back'),
  bet_rolled_back: entry(409, 'This bet was rolled back'),
  bet_refused: entry(409, 'This bet was refused, so it cannot win'),
  bet_already_settled: entry(409, 'This bet is settled and cannot be rolled back'),
  round_closed: entry(409, 'The round is closed and takes no bet'),
  not_a_bet: entry(409, 'Only a bet can be rolled back'),
  round_not_found: entry(404, 'There is no such round'),

  invalid_amount: entry(400, 'The amount is not an exact, positive amount of the currency'),
  currency_mismatch: entry(400, 'The package has another currency'),
  transaction_conflict: entry(409, 'This transaction_id was used for something else'),
  insufficient_funds: entry(422, 'The balance is too low'),
  balance_limit: entry(422, 'The balance would pass the limit of one account'),
  package_credit_exhausted: entry(402, "The package's credit does not cover this"),
  package_not_found: entry(404, 'There is no such package'),
  key_pair_not_found: entry(404, 'There is no such key pair'),
  admin_token_not_found: entry(404, 'There is no such token'),
  wrong_package_state: entry(409, 'The package is not in a state that allows this'),
  decimals_fixed: entry(409, 'The decimals of the package are fixed: it is approved or has movements'),
  key_pair_not_live: entry(409, 'This key pair has ended'),
  secret_not_kept: entry(409, "A caller's secret is shown once and kept as a hash only"),
  overlap_running: entry(409, 'The last rotation still overlaps; wait, or choose an overlap of 0'),
  too_many_key_pairs: entry(409, 'Too many key pairs are live; revoke one first'),
  too_many_admin_tokens: entry(409, 'Too many tokens are live; revoke one first'),
  too_many_invitations: entry(409, 'Too many invitations are open; withdraw one first'),
  connection_not_found: entry(404, 'There is no such provider connection'),
  upstream_url_refused: entry(400, 'The wallet does not call this upstream_url'),
  too_many_connections: entry(409, 'The package has reached the limit of connections; delete one first'),
  sandbox_exists: entry(409, 'The package has a sandbox already'),
  no_sandbox: entry(409, 'The package has no sandbox yet'),
  is_sandbox: entry(409, 'A sandbox has no sandbox of its own'),
  outcome_unknown: entry(
    503,
    'It may have been applied or not; send the same transaction_id again to find out',
    true,
  ),
} as const;

export const errors = defineErrors(table, { challenge: 'ApiKey realm="wallet"' });

export const { fail } = errors;
