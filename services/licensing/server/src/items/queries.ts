// Reads items for the public API, for purchases and for imports.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { Item } from './item.ts';

export interface ItemKey {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
}

export const findItem = (db: Queryable, key: ItemKey): Promise<Item | undefined> =>
  queryRow<Item>(db, {
    name: 'select_item',
    text: 'select * from items where workspace_id = $1 and id = $2',
    values: [key.workspaceId, key.itemId],
  });

export const selectPublishedItems = (db: Queryable, workspaceId: bigint): Promise<Item[]> =>
  queryRows<Item>(db, {
    name: 'select_published_items',
    text: `select * from items where workspace_id = $1 and state = 'published' order by id desc`,
    values: [workspaceId],
  });

const maxId = 2n ** 63n - 1n;

export async function getPublishedItem(db: Queryable, key: ItemKey): Promise<Item> {
  // An id above 2^63 - 1 is well-formed, but no item can have it, and PostgreSQL would reject it.
  if (key.itemId > maxId) throw fail('item_not_found');
  const item = await queryRow<Item>(db, {
    name: 'select_published_item',
    text: `select * from items where workspace_id = $1 and id = $2 and state = 'published'`,
    values: [key.workspaceId, key.itemId],
  });
  if (!item) throw fail('item_not_found');
  return item;
}

export interface ItemFilter {
  readonly workspaceId: bigint;
  readonly category: string | undefined;
  readonly updatedSince: Date | undefined;
}

const matches = `($2::text is null or category = $2)
  and ($3::timestamptz is null or updated_at >= $3)`;

const filterValues = (filter: ItemFilter) => [
  filter.workspaceId,
  filter.category ?? null,
  filter.updatedSince ?? null,
];

export async function countPublishedItems(
  db: Queryable,
  filter: ItemFilter,
): Promise<{ published: bigint; matching: bigint }> {
  const { rows } = await db.query<{ published: bigint; matching: bigint }>({
    name: 'count_published_items',
    text: `select count(*) as published, count(*) filter (where ${matches}) as matching
           from items where workspace_id = $1 and state = 'published'`,
    values: filterValues(filter),
  });
  return rows[0] ?? { published: 0n, matching: 0n };
}

/** Selects the published items that match the filter. Without `limit`, all of them are read. */
export const selectMatchingItems = (
  db: Queryable,
  filter: ItemFilter,
  { limit, offset }: { limit: bigint | undefined; offset: bigint },
): Promise<Item[]> =>
  queryRows<Item>(db, {
    name: 'select_matching_items',
    text: `select * from items where workspace_id = $1 and state = 'published' and ${matches}
           order by id desc limit $4 offset $5`,
    values: [...filterValues(filter), limit ?? null, offset],
  });

/** Selects items together with the version of their row (`xmin`), which changes with every write. */
export const selectItemVersions = (
  db: Queryable,
  key: { workspaceId: bigint; itemIds: readonly bigint[] },
): Promise<(Item & { readonly rowVersion: string })[]> =>
  queryRows(db, {
    name: 'select_item_versions',
    text: `select *, xmin::text as row_version from items
           where workspace_id = $1 and id = any($2::bigint[])`,
    values: [key.workspaceId, key.itemIds],
  });

export const findItems = (
  db: Queryable,
  wanted: { workspaceId: bigint; ids: readonly bigint[]; externalIds: readonly string[] },
): Promise<Item[]> =>
  queryRows<Item>(
    db,
    `select * from items
     where workspace_id = $1 and (id = any($2::bigint[]) or external_id = any($3::text[]))`,
    [wanted.workspaceId, wanted.ids, wanted.externalIds],
  );
