// Reads of `items` for the public API: published ones, and the item of a purchase whatever its state.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Item } from './item.ts';
import { fromItemRow, type ItemRow } from './store.ts';

export async function selectPublishedItems(db: Queryable, workspaceId: bigint): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_published_items',
    text: `select * from items where workspace_id = $1 and state = 'published' order by id desc`,
    values: [workspaceId],
  });
  return rows.map(fromItemRow);
}

export async function selectPublishedItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item | undefined> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_published_item',
    text: `select * from items where workspace_id = $1 and id = $2 and state = 'published'`,
    values: [key.workspaceId, key.itemId],
  });
  return rows[0] && fromItemRow(rows[0]);
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

/** Without `limit` all of them. */
export async function selectMatchingItems(
  db: Queryable,
  filter: ItemFilter,
  { limit, offset }: { limit: bigint | undefined; offset: bigint },
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>({
    name: 'select_matching_items',
    text: `select * from items where workspace_id = $1 and state = 'published' and ${matches}
           order by id desc limit $4 offset $5`,
    values: [...filterValues(filter), limit ?? null, offset],
  });
  return rows.map(fromItemRow);
}

/** A row's version changes with every write to it, whatever was written. */
export async function selectItemVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemIds: readonly bigint[] },
): Promise<{ item: Item; rowVersion: string }[]> {
  const { rows } = await db.query<ItemRow & { row_version: string }>({
    name: 'select_item_versions',
    text: `select *, xmin::text as row_version from items
           where workspace_id = $1 and id = any($2::bigint[])`,
    values: [key.workspaceId, key.itemIds],
  });
  return rows.map((row) => ({ item: fromItemRow(row), rowVersion: row.row_version }));
}
