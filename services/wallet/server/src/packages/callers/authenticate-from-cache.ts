// Authenticates a caller with cached data only. Requests that need more than the cache go to the full check.
import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { equalsInConstantTime, hashSecret } from '@counterfoil/kit/crypto/secrets';
import { type CustomerPackage, isLive, isOriginAllowed, type KeyPair } from '../customer-package.ts';
import type { IdentifyDeps } from './authenticate.ts';

/** Returns the package of the credentials, or undefined if only the full check can decide. */
export type AuthenticateFromCache = (
  headers: IncomingHttpHeaders,
  purposes: readonly KeyPair['purpose'][],
) => CustomerPackage | undefined;

/**
 * A verified secret is cached as a second hash, which uses a salt of this process. This hash is cheaper to
 * compute than the stored hash. When the package is loaded again, the cached hash is dropped together with
 * its key pair.
 */
export function createAuthenticateFromCache(deps: Omit<IdentifyDeps, 'throttle'>): AuthenticateFromCache {
  const salt = randomBytes(32).toString('base64');
  const proven = new WeakMap<KeyPair, string>();

  const isRight = (pair: KeyPair, secret: string): boolean => {
    const cheapHash = hash('sha256', salt + secret, 'base64');
    if (proven.get(pair) === cheapHash) return true;
    if (!equalsInConstantTime(pair.secretHash, hashSecret(deps.masterKey, secret))) return false;
    proven.set(pair, cheapHash);
    return true;
  };

  return (headers, purposes) => {
    const { 'x-uid': uid, 'x-api-key': apiKey, 'x-api-secret': secret, origin } = headers;
    if (typeof uid !== 'string' || typeof secret !== 'string') return undefined;
    const customerPackage = deps.finder.peek(uid);
    if (customerPackage?.state !== 'approved') return undefined;
    // The router must answer calls of a sandbox, because only the router handles test players.
    if (customerPackage.sandbox) return undefined;
    const pair = customerPackage.keyPairs.find((each) => each.apiKey === apiKey);
    if (!pair || !purposes.includes(pair.purpose)) return undefined;
    const now = deps.now();
    if (!isRight(pair, secret) || !isLive(pair, now)) return undefined;
    if (customerPackage.callerAddresses.length > 0) return undefined;
    if (origin !== undefined && !isOriginAllowed(origin, customerPackage.domains)) return undefined;
    deps.uses.record(customerPackage.id, pair.id, now);
    return customerPackage;
  };
}
