// Inserts a key: its hash for the lookup, and a sealed copy so that the panel can show it again.

import {
  hashSecret,
  type MasterKey,
  makeSecret,
  seal,
  unseal,
} from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { makeHint, makePrefix, type Scope } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import { insertApiKeyRow } from './store.ts';

export interface NewApiKey {
  readonly workspaceId: bigint;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  /** Whether the workspace is a sandbox. */
  readonly isTest?: boolean;
  readonly scopes: readonly Scope[];
  readonly itemId?: bigint | undefined;
  readonly legacyItem?: boolean;
  /** An imported key; without it, a new key is generated. */
  readonly secret?: string | undefined;
  readonly createdAt?: Date;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date;
}

// Bound to the hash, so that the sealed copies of two keys cannot be swapped.
const contextOf = (keyHash: Buffer) => `api_key:${keyHash.toString('hex')}`;

/** Without checks of permissions and limits: use cases make those. Also used by the demo and by tests. */
export async function insertApiKey(
  tx: Tx,
  masterKey: MasterKey,
  key: NewApiKey,
): Promise<{ id: bigint; secret: string; keyHash: Buffer }> {
  const { kind, isTest = false } = key;
  const secret = key.secret ?? makeSecret(makePrefix({ kind, isTest }));
  const keyHash = hashSecret(masterKey, secret);
  const id = await insertApiKeyRow(tx, {
    workspaceId: key.workspaceId,
    name: key.name,
    kind,
    keyHash,
    keySealed: seal(masterKey, { plain: secret, context: contextOf(keyHash) }),
    hint: makeHint(secret),
    scopes: key.scopes,
    itemId: key.itemId,
    legacyItem: key.legacyItem ?? false,
    createdAt: key.createdAt ?? new Date(),
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
  });
  if (id === undefined) throw fail('api_key_exists');
  return { id, secret, keyHash };
}

export const unsealApiKey = (
  masterKey: MasterKey,
  key: { keyHash: Buffer; keySealed: Buffer },
): string => unseal(masterKey, { sealed: key.keySealed, context: contextOf(key.keyHash) });
