// Rows of `api_keys`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { ListedApiKey, Scope } from '../authentication/api-key.ts';
import { type ApiKeyRow, fromApiKeyRow } from '../authentication/queries.ts';

interface ListedRow extends ApiKeyRow {
  hint: string;
  created_at: Date;
  replaced_by: bigint | null;
  last_used_at: Date | null;
  last_used_address: string | null;
  page_origin: string | null;
  page_seen_at: Date | null;
}

const fromListedRow = (row: ListedRow): ListedApiKey => ({
  ...fromApiKeyRow(row),
  hint: row.hint,
  createdAt: row.created_at,
  replacedBy: row.replaced_by ?? undefined,
  lastUsed:
    row.last_used_at === null
      ? undefined
      : { at: row.last_used_at, address: row.last_used_address ?? '' },
  seenOnPage:
    row.page_seen_at === null ? undefined : { at: row.page_seen_at, origin: row.page_origin ?? '' },
});

/** The keys that a workspace made: its own, and the test keys, which are its sandbox's. */
const madeByFirst = 'workspace_id in (select id from workspaces where id = $1 or sandbox_of = $1)';

const selectListed = `
  select k.id, k.workspace_id, w.sandbox_of is not null as is_test, k.name, k.kind, k.scopes,
    k.item_id, k.legacy_item, k.expires_at, k.revoked_at, k.hint, k.created_at, k.replaced_by,
    u.last_used_at, u.last_used_address, u.page_origin, u.page_seen_at
  from api_keys k join workspaces w on w.id = k.workspace_id
  left join api_key_uses u on u.workspace_id = k.workspace_id and u.api_key_id = k.id`;

export async function selectApiKeys(
  db: Queryable,
  wanted: { workspaceId: bigint; beforeId: bigint | undefined; limit: number },
): Promise<ListedApiKey[]> {
  const { rows } = await db.query<ListedRow>(
    `${selectListed}
     where k.${madeByFirst} and ($2::bigint is null or k.id < $2) order by k.id desc limit $3`,
    [wanted.workspaceId, wanted.beforeId ?? null, wanted.limit],
  );
  return rows.map(fromListedRow);
}

export interface KeyAddress {
  /** Whose people may change it. */
  readonly workspaceId: bigint;
  readonly id: bigint;
}

export async function selectApiKey(
  db: Queryable,
  key: KeyAddress,
): Promise<ListedApiKey | undefined> {
  const { rows } = await db.query<ListedRow>(
    `${selectListed} where k.${madeByFirst} and k.id = $2`,
    [key.workspaceId, key.id],
  );
  return rows[0] && fromListedRow(rows[0]);
}

/** Holds the key against every other change until the transaction ends. */
export async function lockApiKeyRow(
  tx: Tx,
  key: KeyAddress,
): Promise<{ key: ListedApiKey; keyHash: Buffer; keySealed: Buffer } | undefined> {
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

export interface NewApiKeyRow {
  readonly workspaceId: bigint;
  readonly name: string;
  readonly kind: 'secret' | 'publishable';
  readonly keyHash: Buffer;
  readonly keySealed: Buffer;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly itemId: bigint | undefined;
  readonly legacyItem: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** Undefined when the same key exists already, in whichever workspace. */
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
      key.legacyItem,
      key.createdAt,
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
