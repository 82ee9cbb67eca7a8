// Reads a row of `api_keys` by the hash of the key.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { ApiKey } from './api-key.ts';

export const selectApiKeyByHash = (db: Queryable, keyHash: Buffer): Promise<ApiKey | undefined> =>
  queryRow<ApiKey>(db, {
    name: 'select_api_key_by_hash',
    text: `select k.id, k.workspace_id, w.sandbox_of is not null as is_test, k.name, k.kind, k.scopes,
             k.item_id, k.legacy_item, k.expires_at, k.revoked_at
           from api_keys k join workspaces w on w.id = k.workspace_id where k.key_hash = $1`,
    values: [keyHash],
  });
