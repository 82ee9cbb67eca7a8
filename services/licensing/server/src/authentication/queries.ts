// Reads a row of `api_keys` by the hash of the key.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ApiKey, Scope } from './api-key.ts';

export interface ApiKeyRow {
  id: bigint;
  workspace_id: bigint;
  is_test: boolean;
  name: string;
  kind: 'secret' | 'publishable';
  scopes: Scope[];
  item_id: bigint | null;
  legacy_item: boolean;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export const fromApiKeyRow = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  workspaceId: row.workspace_id,
  isTest: row.is_test,
  name: row.name,
  kind: row.kind,
  scopes: row.scopes,
  itemId: row.item_id ?? undefined,
  legacyItem: row.legacy_item,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
});

export async function selectApiKeyByHash(
  db: Queryable,
  keyHash: Buffer,
): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>({
    name: 'select_api_key_by_hash',
    text: `select k.id, k.workspace_id, w.sandbox_of is not null as is_test, k.name, k.kind, k.scopes,
             k.item_id, k.legacy_item, k.expires_at, k.revoked_at
           from api_keys k join workspaces w on w.id = k.workspace_id where k.key_hash = $1`,
    values: [keyHash],
  });
  return rows[0] && fromApiKeyRow(rows[0]);
}
