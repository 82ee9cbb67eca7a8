// Reads items and their versions for the people who manage them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../../errors.ts';
import type { Page } from '../../wire/paging.ts';
import type { Item, ItemKind, ItemState } from '../item.ts';
import type { ItemVersion, VersionFile } from '../item-version.ts';
import { findItem, type ItemKey } from '../queries.ts';

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

export interface VersionKey extends ItemKey {
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

export async function listVersions(db: Queryable, key: ItemKey): Promise<ItemVersion[]> {
  await getOwnItem(db, key);
  const { rows } = await db.query<VersionRow>(
    `select * from item_versions where workspace_id = $1 and item_id = $2
     order by ${newestFirst} limit 1000`,
    [key.workspaceId, key.itemId],
  );
  return rows.map(fromVersionRow);
}

export async function findVersion(
  db: Queryable,
  key: VersionKey,
): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<VersionRow>(
    'select * from item_versions where workspace_id = $1 and item_id = $2 and version = $3',
    [key.workspaceId, key.itemId, key.version],
  );
  return rows[0] && fromVersionRow(rows[0]);
}

async function findNewestWithFile(db: Queryable, key: ItemKey): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<VersionRow>(
    `select * from item_versions
     where workspace_id = $1 and item_id = $2 and file_key is not null
     order by ${newestFirst} limit 1`,
    [key.workspaceId, key.itemId],
  );
  return rows[0] && fromVersionRow(rows[0]);
}

/** Without a version, the newest version that has a file. Undefined if there is no file. */
export async function findDownload(
  db: Queryable,
  wanted: ItemKey & { version: string | undefined },
): Promise<(ItemVersion & { file: VersionFile }) | undefined> {
  const { version, ...key } = wanted;
  const found =
    version === undefined
      ? await findNewestWithFile(db, key)
      : await findVersion(db, { ...key, version });
  return found?.file && { ...found, file: found.file };
}

export async function getOwnItem(db: Queryable, key: ItemKey): Promise<Item> {
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

/** A search scans at most this number of items for each page. */
const maxScanned = 10_000;

const fitting = `where workspace_id = $1 and ($2::bigint is null or id < $2)
  and ($3::text is null or state = $3) and ($4::text is null or kind = $4)`;

/** Newest first. A page of a search may be short or empty and still have a next page. */
export async function listOwnItems(
  db: Queryable,
  filter: ItemFilter,
  { limit, after: [beforeId] }: Page,
): Promise<{ items: Item[]; nextId: bigint | undefined }> {
  const values = [filter.workspaceId, beforeId, filter.state, filter.kind];
  const items = await queryRows<Item>(
    db,
    `select * from (select * from items ${fitting} order by id desc limit $7) as scanned
     where $5::text is null or position(lower($5) in lower(name)) > 0
       or lower($5) in (select lower(tag) from unnest(tags) as tag)
     order by id desc limit $6`,
    [...values, filter.search, limit, maxScanned],
  );
  if (items.length === limit) return { items, nextId: items.at(-1)?.id };
  if (filter.search === undefined) return { items, nextId: undefined };
  // The last scanned item; there is none if the search has reached the end of the list.
  const { rows } = await db.query<{ id: bigint }>(
    `select id from items ${fitting} order by id desc limit 1 offset $5`,
    [...values, maxScanned - 1],
  );
  return { items, nextId: rows[0]?.id };
}

/** Oldest first, for reading all items page by page. */
export const selectItemsAfter = (
  db: Queryable,
  from: { workspaceId: bigint; afterId: bigint; limit: number },
): Promise<Item[]> =>
  queryRows<Item>(
    db,
    'select * from items where workspace_id = $1 and id > $2 order by id limit $3',
    [from.workspaceId, from.afterId, from.limit],
  );
