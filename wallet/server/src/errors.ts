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
  outcome_unknown: entry(
    503,
    'It may have been applied or not; send the same transaction_id again to find out',
    true,
  ),
});

export const { fail } = errors;
