// Reads lists of items for those who manage them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Item, ItemKind, ItemState } from '../item.ts';
import { fromItemRow, type ItemRow } from '../store.ts';

export interface ItemFilter {
  readonly workspaceId: bigint;
  /** A part of the name, or a whole tag; letter case does not count. */
  readonly search?: string | undefined;
  readonly state?: ItemState | undefined;
  readonly kind?: ItemKind | undefined;
}

/** A part of a name is found by reading, and no page reads more items than these. */
const maxLooked = 10_000;

interface ItemPage {
  readonly limit: number;
  readonly beforeId: bigint | undefined;
}

const fitting = `where workspace_id = $1 and ($2::bigint is null or id < $2)
  and ($3::text is null or state = $3) and ($4::text is null or kind = $4)`;

const placesOf = (filter: ItemFilter, page: ItemPage) => [
  filter.workspaceId,
  page.beforeId ?? null,
  filter.state ?? null,
  filter.kind ?? null,
];

/** Newest first, behind the id of the page before. */
export async function selectItems(
  db: Queryable,
  filter: ItemFilter,
  page: ItemPage,
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>(
    `select * from (select * from items ${fitting} order by id desc limit $7) as looked
     where $5::text is null or position(lower($5) in lower(name)) > 0
       or lower($5) in (select lower(tag) from unnest(tags) as tag)
     order by id desc limit $6`,
    [...placesOf(filter, page), filter.search ?? null, page.limit, maxLooked],
  );
  return rows.map(fromItemRow);
}

/** Where a search that found too little for a page stopped looking; undefined at the end of the list. */
export async function selectLastLooked(
  db: Queryable,
  filter: ItemFilter,
  page: ItemPage,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>(
    `select id from items ${fitting} order by id desc limit 1 offset $5`,
    [...placesOf(filter, page), maxLooked - 1],
  );
  return rows[0]?.id;
}

/** Oldest first, for whoever reads all of them page by page. */
export async function selectItemsAfter(
  db: Queryable,
  from: { workspaceId: bigint; afterId: bigint; limit: number },
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>(
    'select * from items where workspace_id = $1 and id > $2 order by id limit $3',
    [from.workspaceId, from.afterId, from.limit],
  );
  return rows.map(fromItemRow);
}

export async function selectItemsByIds(
  db: Queryable,
  wanted: { workspaceId: bigint; ids: readonly bigint[]; externalIds: readonly string[] },
): Promise<Item[]> {
  const { rows } = await db.query<ItemRow>(
    `select * from items
     where workspace_id = $1 and (id = any($2::bigint[]) or external_id = any($3::text[]))`,
    [wanted.workspaceId, wanted.ids, wanted.externalIds],
  );
  return rows.map(fromItemRow);
}
