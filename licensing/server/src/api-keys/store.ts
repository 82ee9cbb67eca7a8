// Rows of `api_keys`.
import type { Queryable } from '@counterfoil/kit/db';
import type { ApiKey, Scope } from './api-key.ts';

interface Row {
  id: bigint;
  workspace_id: bigint;
  name: string;
  kind: 'secret' | 'publishable';
  scopes: Scope[];
  item_id: bigint | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export async function selectApiKeyByHash(
  db: Queryable,
  keyHash: Buffer,
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<Row>({
    name: 'select_api_key_by_hash',
    text: `select id, workspace_id, name, kind, scopes, item_id, expires_at, revoked_at
           from api_keys where key_hash = $1`,
    values: [keyHash],
  });
  const row = rows[0];
  if (!row) return undefined;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    kind: row.kind,
    scopes: row.scopes,
    itemId: row.item_id ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  };
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
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

export async function insertApiKeyRow(db: Queryable, key: NewApiKeyRow): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    `insert into api_keys (workspace_id, name, kind, key_hash, key_sealed, hint, scopes, item_id,
       expires_at, revoked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      key.workspaceId,
      key.name,
      key.kind,
      key.keyHash,
      key.keySealed,
      key.hint,
      key.scopes,
      key.itemId ?? null,
      key.expiresAt ?? null,
      key.revokedAt ?? null,
    ],
  );
  return (rows[0] as { id: bigint }).id;
}
