// Inserts an API key: its hash for the lookup, and a sealed copy so that the panel can show the key again.

import { hashSecret, type MasterKey, makeSecret, seal, unseal } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { makeHint, makePrefix } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import { insertApiKeyRow, type NewApiKeyRow } from './store.ts';

export interface NewApiKey extends Omit<NewApiKeyRow, 'keyHash' | 'keySealed' | 'hint'> {
  /** Whether the workspace is a sandbox. */
  readonly isTest?: boolean;
  /** The text of an imported key. Without it, a new key is generated. */
  readonly secret?: string | undefined;
}

/** Binds the sealed copy to the hash, so that the copies of two keys cannot be swapped. */
const contextOf = (keyHash: Buffer) => `api_key:${keyHash.toString('hex')}`;

/**
 * Inserts a key without checking permissions and limits, because the use cases check them. The demo and tests
 * call this function directly.
 */
export async function insertApiKey(
  tx: Tx,
  masterKey: MasterKey,
  key: NewApiKey,
): Promise<{ id: bigint; secret: string; keyHash: Buffer }> {
  const { kind, isTest = false } = key;
  const secret = key.secret ?? makeSecret(makePrefix({ kind, isTest }));
  const keyHash = hashSecret(masterKey, secret);
  const id = await insertApiKeyRow(tx, {
    ...key,
    keyHash,
    keySealed: seal(masterKey, { plain: secret, context: contextOf(keyHash) }),
    hint: makeHint(secret),
  });
  if (id === undefined) throw fail('api_key_exists');
  return { id, secret, keyHash };
}

export const unsealApiKey = (masterKey: MasterKey, key: { keyHash: Buffer; keySealed: Buffer }): string =>
  unseal(masterKey, { sealed: key.keySealed, context: contextOf(key.keyHash) });
