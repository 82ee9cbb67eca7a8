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
});

export const { fail } = errors;
