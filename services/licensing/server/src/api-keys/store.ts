// Locks, counts, inserts and updates rows of `api_keys`.

import type { Tx } from '@counterfoil/kit/postgres/db';
import type { ListedApiKey } from '../authentication/api-key.ts';
import { type KeyAddress, madeByFirst, selectApiKey } from './queries.ts';

export interface LockedApiKey {
  readonly key: ListedApiKey;
  readonly keyHash: Buffer;
  readonly keySealed: Buffer;
}

/** Locks the key until the transaction ends. */
export async function lockApiKeyRow(tx: Tx, key: KeyAddress): Promise<LockedApiKey | undefined> {
  const { rows } = await tx.query<{ key_hash: Buffer; key_sealed: Buffer }>(
    `select key_hash, key_sealed from api_keys where ${madeByFirst} and id = $2
     for no key update`,
    [key.workspaceId, key.id],
  );
  const found = await selectApiKey(tx, key);
  if (!rows[0] || !found) return undefined;
  return { key: found, keyHash: rows[0].key_hash, keySealed: rows[0].key_sealed };
}

export async function countLiveKeys(
  tx: Tx,
  workspaceId: bigint,
  now: Date,
): Promise<{ live: number; replaced: number }> {
  const { rows } = await tx.query<{ live: bigint; replaced: bigint }>(
    `select count(*) as live, count(replaced_by) as replaced from api_keys
     where ${madeByFirst} and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [workspaceId, now],
  );
  return { live: Number(rows[0]?.live ?? 0), replaced: Number(rows[0]?.replaced ?? 0) };
}

type RequiredField = 'workspaceId' | 'name' | 'kind' | 'scopes' | 'hint';
type OptionalField = 'itemId' | 'legacyItem' | 'createdAt' | 'expiresAt' | 'revokedAt';

export interface NewApiKeyRow
  extends Pick<ListedApiKey, RequiredField>,
    Partial<Pick<ListedApiKey, OptionalField>> {
  readonly keyHash: Buffer;
  readonly keySealed: Buffer;
}

/** Inserts a key and returns its id, or returns undefined if the same key already exists in any workspace. */
export async function insertApiKeyRow(tx: Tx, key: NewApiKeyRow): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into api_keys (workspace_id, name, kind, key_hash, key_sealed, hint, scopes, item_id,
       legacy_item, created_at, expires_at, revoked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (key_hash) do nothing returning id`,
    [
      key.workspaceId,
      key.name,
      key.kind,
      key.keyHash,
      key.keySealed,
      key.hint,
      key.scopes,
      key.itemId ?? null,
      key.legacyItem ?? false,
      key.createdAt ?? new Date(),
      key.expiresAt ?? null,
      key.revokedAt ?? null,
    ],
  );
  return rows[0]?.id;
}

export type ApiKeyChange = Pick<
  ListedApiKey,
  'workspaceId' | 'id' | 'name' | 'legacyItem' | 'expiresAt' | 'revokedAt' | 'replacedBy'
>;

export async function saveApiKeyRow(tx: Tx, key: ApiKeyChange): Promise<void> {
  await tx.query(
    `update api_keys set name = $3, legacy_item = $4, expires_at = $5, revoked_at = $6,
       replaced_by = $7
     where workspace_id = $1 and id = $2`,
    [
      key.workspaceId,
      key.id,
      key.name,
      key.legacyItem,
      key.expiresAt ?? null,
      key.revokedAt ?? null,
      key.replacedBy ?? null,
    ],
  );
}
