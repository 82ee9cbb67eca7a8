// Makes a package with a caller pair and a callback pair, and a finder that has the package cached.
import { hashSecret, type MasterKey, parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import type { PackageFinder } from '../../src/packages/callers/find-package.ts';
import type { CustomerPackage, KeyPair } from '../../src/packages/customer-package.ts';

export const masterKey: MasterKey = parseMasterKey('0123456789abcdef'.repeat(4));
export const clock = new Date('2026-03-01T12:00:00Z');

/** A key in the format of issued keys. */
export const keyOf = (name: string): string => `gpk_${name.padEnd(43, 'x')}`;

export function pairOf(name: string, changes: Partial<KeyPair> = {}): KeyPair {
  return {
    id: 1n,
    purpose: 'caller',
    apiKey: keyOf(name),
    secretHash: hashSecret(masterKey, `secret of ${name}`),
    expiresAt: undefined,
    revokedAt: undefined,
    ...changes,
  };
}

export const headersOf = (name: string, uid = 'known'): Record<string, string> => ({
  'x-uid': uid,
  'x-api-key': keyOf(name),
  'x-api-secret': `secret of ${name}`,
});

export const packageOf = (changes: Partial<CustomerPackage> = {}): CustomerPackage => ({
  id: 7,
  uid: 'known',
  name: 'Known',
  state: 'approved',
  currency: 'EUR',
  decimals: 2,
  sandbox: false,
  domains: ['play.example'],
  sharedLaunch: false,
  callerAddresses: [],
  overdraftLimit: 0n,
  alertThreshold: 0n,
  maxStake: undefined,
  keyPairs: [pairOf('caller'), pairOf('callback', { purpose: 'callback' })],
  callbackSecurity: 'headers',
  callbackAddresses: [],
  aesKeys: { uid: 'known', current: Buffer.alloc(0), previous: undefined },
  ...changes,
});

/**
 * Creates a package finder for tests. The finder returns `known` from its cache. If a caller bypasses the
 * cache, the finder returns `later`. `asked` returns the number of bypasses.
 */
export function finderOf(
  known: CustomerPackage,
  later: CustomerPackage | undefined = known,
): { finder: PackageFinder; asked: () => number } {
  let asked = 0;
  const peek = (uid: string) => (uid === known.uid ? known : undefined);
  return {
    asked: () => asked,
    finder: {
      peek,
      find: async (uid) => peek(uid),
      findAgain: async () => {
        asked++;
        return later;
      },
      onChange: () => {},
      watch: (db) => db,
      close: async () => {},
    },
  };
}
