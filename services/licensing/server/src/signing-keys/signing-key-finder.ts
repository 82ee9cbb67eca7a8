// Finds and caches the signing keys of a workspace. A rotation takes effect in every process within 5 s.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Cached, WorkspaceCache } from '../workspaces/workspace-cache.ts';
import { selectSigningKeys } from './queries.ts';
import { findCurrentKey, openPrivateKey, type Signer, type SigningKey } from './signing-key.ts';

export interface SigningKeySet {
  readonly keys: readonly SigningKey[];
  /** Returns the key that signs at this time. Each private key is unsealed once. */
  readonly findSigner: (now: Date) => Signer | undefined;
}

export type SigningKeyFinder = Cached<SigningKeySet>;

/** A workspace without keys is not cached, so that its first key is found at once. */
export const createSigningKeyFinder = (
  db: Queryable,
  masterKey: MasterKey,
  workspaceCache: WorkspaceCache,
): SigningKeyFinder =>
  workspaceCache.add({
    topic: 'licences',
    maxEntries: 10_000,
    load: async (workspaceId) => {
      const keys = await selectSigningKeys(db, workspaceId);
      return keys.length === 0 ? undefined : openKeySet(masterKey, keys);
    },
  });

function openKeySet(masterKey: MasterKey, keys: readonly SigningKey[]): SigningKeySet {
  const signers = new Map<string, Signer>();
  return {
    keys,
    findSigner: (now) => {
      const key = findCurrentKey(keys, now);
      if (!key) return undefined;
      const signer = signers.get(key.kid) ?? { kid: key.kid, privateKey: openPrivateKey(masterKey, key) };
      signers.set(key.kid, signer);
      return signer;
    },
  };
}
