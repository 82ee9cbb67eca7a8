// Reads the keys of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedApiKey } from '../authentication/api-key.ts';
import { type ApiKeyRow, fromApiKeyRow } from '../authentication/queries.ts';
import { fail } from '../errors.ts';
import type { Page } from '../wire/paging.ts';

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

/** The keys that a workspace created: its own, and the test keys, which belong to its sandbox. */
export const madeByFirst =
  'workspace_id in (select id from workspaces where id = $1 or sandbox_of = $1)';

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
  /** The workspace whose members may change the key. */
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

/** A key of another workspace counts as missing. */
export async function getApiKey(
  db: Queryable,
  key: { workspaceId: bigint; id: bigint },
): Promise<ListedApiKey> {
  const found = await selectApiKey(db, key);
  if (!found) throw fail('api_key_not_found');
  return found;
}

export async function listApiKeys(
  db: Queryable,
  workspaceId: bigint,
  page: Page,
): Promise<ListedApiKey[]> {
  return await selectApiKeys(db, { workspaceId, beforeId: page.after[0], limit: page.limit });
}
