// Reads items and their versions for the people who manage them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { Page } from '../../wire/paging.ts';
import type { Item, ItemKind, ItemState } from '../item.ts';
import type { ItemVersion, VersionFile } from '../item-version.ts';
import { findItem, fromItemRow, type ItemRow } from '../queries.ts';

export interface VersionRow {
  version: string;
  notes: string;
  created_at: Date;
  file_key: string | null;
  file_name: string | null;
  file_bytes: bigint | null;
  file_sha256: Buffer | null;
  uploaded_at: Date | null;
}

export interface VersionKey {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
  readonly version: string;
}

export function fromVersionRow(row: VersionRow): ItemVersion {
  const { file_key, file_name, file_bytes, file_sha256, uploaded_at } = row;
  const file =
    file_key !== null && file_name !== null && file_bytes !== null && file_sha256 && uploaded_at
      ? {
          key: file_key,
          name: file_name,
          bytes: file_bytes,
          sha256: file_sha256,
          uploadedAt: uploaded_at,
        }
      : undefined;
  return { version: row.version, notes: row.notes, createdAt: row.created_at, file };
}

const newestFirst = `string_to_array(version, '.')::bigint[] desc`;

export async function selectVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion[]> {
  const { rows } = await db.query<VersionRow>(
    `select * from item_versions where workspace_id = $1 and item_id = $2
     order by ${newestFirst} limit 1000`,
    [key.workspaceId, key.itemId],
  );
  return rows.map(fromVersionRow);
}

export async function selectVersion(
  db: Queryable,
  key: VersionKey,
): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<VersionRow>(
    'select * from item_versions where workspace_id = $1 and item_id = $2 and version = $3',
    [key.workspaceId, key.itemId, key.version],
  );
  return rows[0] && fromVersionRow(rows[0]);
}

export async function selectNewestWithFile(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<VersionRow>(
    `select * from item_versions
     where workspace_id = $1 and item_id = $2 and file_key is not null
     order by ${newestFirst} limit 1`,
    [key.workspaceId, key.itemId],
  );
  return rows[0] && fromVersionRow(rows[0]);
}

export async function findDownload(
  db: Queryable,
  wanted: { workspaceId: bigint; itemId: bigint; version: string | undefined },
): Promise<(ItemVersion & { file: VersionFile }) | undefined> {
  const { version, ...key } = wanted;
  const found =
    version === undefined
      ? await selectNewestWithFile(db, key)
      : await selectVersion(db, { ...key, version });
  return found?.file && { ...found, file: found.file };
}

export async function getOwnItem(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<Item> {
  const item = await findItem(db, key);
  if (!item) throw fail('item_not_found');
  return item;
}

export interface ItemFilter {
  readonly workspaceId: bigint;
  /** A part of the name or a whole tag, in any letter case. */
  readonly search?: string | undefined;
  readonly state?: ItemState | undefined;
  readonly kind?: ItemKind | undefined;
}

/** A search scans items, at most this number for each page. */
const maxLooked = 10_000;

interface ItemPage {
  readonly limit: number;
  readonly beforeId: bigint | undefined;
}

const fitting = `where workspace_id = $1 and ($2::bigint is null or id < $2)
  and ($3::text is null or state = $3) and ($4::text is null or kind = $4)`;

const pageValues = (filter: ItemFilter, page: ItemPage) => [
  filter.workspaceId,
  page.beforeId ?? null,
  filter.state ?? null,
  filter.kind ?? null,
];

/** Newest first, after the last id of the previous page. */
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
    [...pageValues(filter, page), filter.search ?? null, page.limit, maxLooked],
  );
  return rows.map(fromItemRow);
}

/** The last id that a search with a short page has scanned; undefined at the end of the list. */
export async function selectLastLooked(
  db: Queryable,
  filter: ItemFilter,
  page: ItemPage,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>(
    `select id from items ${fitting} order by id desc limit 1 offset $5`,
    [...pageValues(filter, page), maxLooked - 1],
  );
  return rows[0]?.id;
}

/** Oldest first, for reading all items page by page. */
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

/** A page of a search may be short or empty and still have a next page. */
export async function listOwnItems(
  db: Queryable,
  filter: ItemFilter,
  page: Page,
): Promise<{ items: Item[]; nextId: bigint | undefined }> {
  const { limit } = page;
  const beforeId = page.after[0];
  const items = await selectItems(db, filter, { limit, beforeId });
  if (items.length === limit) return { items, nextId: items.at(-1)?.id };
  if (filter.search === undefined) return { items, nextId: undefined };
  return { items, nextId: await selectLastLooked(db, filter, { limit, beforeId }) };
}

export async function listVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion[]> {
  await getOwnItem(db, key);
  return selectVersions(db, key);
}
