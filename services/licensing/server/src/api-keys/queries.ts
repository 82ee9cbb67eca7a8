// Reads the keys of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { ListedApiKey } from '../authentication/api-key.ts';
import { fail } from '../errors.ts';
import type { Page } from '../wire/paging.ts';

/**
 * An SQL condition for the keys that the workspace $1 created: its own keys, and the test keys, which belong
 * to its sandbox.
 */
export const madeByFirst = 'workspace_id in (select id from workspaces where id = $1 or sandbox_of = $1)';

const selectListed = `
  select k.id, k.workspace_id, w.sandbox_of is not null as is_test, k.name, k.kind, k.scopes,
    k.item_id, k.legacy_item, k.expires_at, k.revoked_at, k.hint, k.created_at, k.replaced_by,
    u.last_used_at, u.last_used_address, u.page_origin, u.page_seen_at
  from api_keys k join workspaces w on w.id = k.workspace_id
  left join api_key_uses u on u.workspace_id = k.workspace_id and u.api_key_id = k.id`;

export const listApiKeys = (db: Queryable, workspaceId: bigint, page: Page): Promise<ListedApiKey[]> =>
  queryRows<ListedApiKey>(
    db,
    `${selectListed}
     where k.${madeByFirst} and ($2::bigint is null or k.id < $2) order by k.id desc limit $3`,
    [workspaceId, page.after[0], page.limit],
  );

export interface KeyAddress {
  /** The workspace whose members may change the key. */
  readonly workspaceId: bigint;
  readonly id: bigint;
}

export const selectApiKey = (db: Queryable, { workspaceId, id }: KeyAddress) =>
  queryRow<ListedApiKey>(db, `${selectListed} where k.${madeByFirst} and k.id = $2`, [workspaceId, id]);

/** Reads a key. A key of another workspace gets the same error as a key that does not exist. */
export async function getApiKey(db: Queryable, key: KeyAddress): Promise<ListedApiKey> {
  const found = await selectApiKey(db, key);
  if (!found) throw fail('api_key_not_found');
  return found;
}
