// Gives a workspace a key: kept as a hash to find it, and sealed for the panel's reveal.
import type { Tx } from '@counterfoil/kit/db';
import { hashSecret, type MasterKey, makeSecret, seal } from '@counterfoil/kit/secrets';
import { makeHint, type Scope } from './api-key.ts';
import { insertApiKeyRow } from './store.ts';

export interface NewApiKey {
  readonly workspaceId: bigint;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly scopes: readonly Scope[];
  readonly itemId?: bigint;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

export async function insertApiKey(
  tx: Tx,
  masterKey: MasterKey,
  key: NewApiKey,
): Promise<{ id: bigint; secret: string }> {
  const secret = makeSecret(key.kind === 'secret' ? 'ck_live_' : 'ck_pub_');
  const keyHash = hashSecret(masterKey, secret);
  const id = await insertApiKeyRow(tx, {
    workspaceId: key.workspaceId,
    name: key.name,
    kind: key.kind,
    keyHash,
    // Tied to its hash, so that one key's sealed copy cannot be put in another's place.
    keySealed: seal(masterKey, { plain: secret, context: `api_key:${keyHash.toString('hex')}` }),
    hint: makeHint(secret),
    scopes: key.scopes,
    itemId: key.itemId,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
  });
  return { id, secret };
}
