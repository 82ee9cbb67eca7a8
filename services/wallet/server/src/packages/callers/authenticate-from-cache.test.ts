// The cache authenticates only callers whom the full check would accept as well.
import { describe, expect, it } from 'vitest';
import {
  clock,
  finderOf,
  headersOf,
  masterKey,
  packageOf,
  pairOf,
} from '../../../test/environment/known-package.ts';
import type { CustomerPackage } from '../customer-package.ts';
import { createAuthenticateFromCache } from './authenticate-from-cache.ts';

function given(changes: Partial<CustomerPackage> = {}) {
  const customerPackage = packageOf(changes);
  let derived = 0;
  const used: unknown[] = [];
  const authenticateFromCache = createAuthenticateFromCache({
    finder: finderOf(customerPackage).finder,
    now: () => clock,
    uses: { record: (packageId, pairId) => void used.push([packageId, pairId]) },
    masterKey: {
      derive: (purpose) => {
        derived++;
        return masterKey.derive(purpose);
      },
    },
  });
  const isKnown = (headers: Record<string, string | undefined>, purposes = ['caller'] as const) =>
    authenticateFromCache(headers as Record<string, string>, purposes) === customerPackage;
  return { authenticateFromCache, isKnown, used, derived: () => derived };
}

const right = headersOf('caller');

describe('authenticateFromCache', () => {
  it.each([
    ['no origin', {}],
    ['an origin on the list', { origin: 'https://play.example' }],
  ])('authenticateFromCache accepts valid credentials with %s', (_name, more) => {
    expect(given().isKnown({ ...right, ...more })).toBe(true);
  });

  it.each([
    ['no uid', { ...right, 'x-uid': undefined }],
    ['no key', { ...right, 'x-api-key': undefined }],
    ['no secret', { ...right, 'x-api-secret': undefined }],
    ['an unknown uid', { ...right, 'x-uid': 'unknown' }],
    ['an unknown key', { ...right, 'x-api-key': 'unknown' }],
    ['a wrong secret', { ...right, 'x-api-secret': 'wrong' }],
    ['the secret of another pair', { ...right, 'x-api-secret': 'secret of callback' }],
    ['the pair of another purpose', headersOf('callback')],
    ['an origin that is not on the list', { ...right, origin: 'https://evil.example' }],
  ])('a request with %s is not accepted, even after valid credentials were cached', (_name, headers) => {
    const { isKnown } = given();
    expect([isKnown(headers), isKnown(right), isKnown(headers)]).toEqual([false, true, false]);
  });

  it.each<[string, Partial<CustomerPackage>]>([
    ['is pending', { state: 'pending' }],
    ['is suspended', { state: 'suspended' }],
    ['is a sandbox', { sandbox: true }],
    ['has an address list', { callerAddresses: ['203.0.113.9'] }],
    ['has an expired pair', { keyPairs: [pairOf('caller', { expiresAt: clock })] }],
    ['has a revoked pair', { keyPairs: [pairOf('caller', { revokedAt: clock })] }],
  ])('authenticateFromCache leaves the decision to the full check if the package %s', (_name, changes) => {
    expect(given(changes).isKnown(right)).toBe(false);
  });

  it('authenticateFromCache accepts a pair only if its purpose is one of the given purposes', () => {
    const { authenticateFromCache } = given();
    const both = ['caller', 'callback'] as const;
    expect(authenticateFromCache(headersOf('callback'), both)?.id).toBe(7);
    expect(authenticateFromCache(right, both)?.id).toBe(7);
    expect(authenticateFromCache(right, ['callback'])).toBeUndefined();
  });

  it('authenticateFromCache records the use of a pair only if the whole request is accepted', () => {
    const { isKnown, used } = given();
    isKnown({ ...right, 'x-api-secret': 'wrong' });
    isKnown({ ...right, origin: 'https://evil.example' });
    expect(used).toEqual([]);
    isKnown(right);
    expect(used).toEqual([[7, 1n]]);
  });

  it('a valid secret is compared with the stored hash only once, and a wrong secret at every call', () => {
    const { isKnown, derived } = given();
    for (let times = 0; times < 3; times++) expect(isKnown(right)).toBe(true);
    expect(derived()).toBe(1);
    const wrong = { ...right, 'x-api-secret': 'wrong' };
    for (let times = 0; times < 3; times++) expect(isKnown(wrong)).toBe(false);
    expect(derived()).toBe(4);
    expect(isKnown(right)).toBe(true);
    expect(derived()).toBe(4);
  });
});
