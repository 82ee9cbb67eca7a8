// Gives a workspace a key: kept as a hash to find it, and sealed for the panel's reveal.

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
  /** A key that the seller has already; a fresh one is made where none is given. */
  readonly secret?: string | undefined;
  readonly createdAt?: Date;
  readonly expiresAt?: Date | undefined;
  readonly revokedAt?: Date;
}

// Tied to its hash, so that one key's sealed copy cannot be put in another's place.
const contextOf = (keyHash: Buffer) => `api_key:${keyHash.toString('hex')}`;

/** The bare act, for seeds and tests too; the rules about who and how many are in the verbs. */
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
