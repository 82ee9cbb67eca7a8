// Every error that the wallet service can answer: code, HTTP status, sentence.
import { defineErrors, type ErrorEntry, transportErrors } from '@counterfoil/kit/errors';
import { signInErrors } from '@counterfoil/kit/sign-in/errors';

const entry = (status: number, msg: string, retryable = false): ErrorEntry => ({
  status,
  msg,
  retryable,
});

export const errors = defineErrors({
  ...transportErrors,
  ...signInErrors,
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
  transaction_not_found: entry(404, 'There is no such transaction (yet)', true),

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
  key_pair_not_live: entry(409, 'This key pair has ended'),
  secret_not_kept: entry(409, "A caller's secret is shown once and kept as a hash only"),
  overlap_running: entry(409, 'The last rotation still overlaps; wait, or choose an overlap of 0'),
  too_many_key_pairs: entry(409, 'Too many key pairs are live; revoke one first'),
  too_many_admin_tokens: entry(409, 'Too many tokens are live; revoke one first'),
  too_many_invitations: entry(409, 'Too many invitations are open; withdraw one first'),
  sandbox_exists: entry(409, 'The package has a sandbox already'),
  is_sandbox: entry(409, 'A sandbox has no sandbox of its own'),
  outcome_unknown: entry(
    503,
    'It may have been applied or not; send the same transaction_id again to find out',
    true,
  ),
});

export const { fail } = errors;
