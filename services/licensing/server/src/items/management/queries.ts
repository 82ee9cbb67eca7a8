// Reads items and their versions for the people who manage them.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../../errors.ts';
import type { Page } from '../../wire/paging.ts';
import type { Item, ItemKind, ItemState } from '../item.ts';
import type { Channel, ItemVersion, VersionFile } from '../item-version.ts';
import { findItem, type ItemKey } from '../queries.ts';

export interface VersionKey extends ItemKey {
  readonly version: string;
}

/**
 * Selects versions of an item. `rest` is the rest of the SQL statement, and `values` its parameters from $3.
 */
export async function queryVersions(
  db: Queryable,
  key: ItemKey,
  rest: string,
  values: readonly unknown[] = [],
): Promise<ItemVersion[]> {
  const rows = await queryRows<Omit<ItemVersion, 'file'> & Partial<VersionFile>>(
    db,
    `select version, channel, notes, requires, tested, requires_php, created_at, file_key as key,
       file_name as name, file_bytes as bytes, file_sha256 as sha256, file_sha1 as sha1, uploaded_at
     from item_versions where workspace_id = $1 and item_id = $2 ${rest}`,
    [key.workspaceId, key.itemId, ...values],
  );
  return rows.map(({ key: fileKey, name, bytes, sha256, sha1, uploadedAt, ...version }) => {
    // If there is no file, all columns of the file are null. So one column is enough to find out whether
    // there is a file. The SHA-1 is not suitable: it is also null for old files.
    const file = { key: fileKey, name, bytes, sha256, sha1, uploadedAt } as VersionFile;
    return { ...version, file: fileKey === undefined ? undefined : file };
  });
}

const newestFirst = `order by string_to_array(version, '.')::bigint[] desc`;

export async function listVersions(db: Queryable, key: ItemKey): Promise<ItemVersion[]> {
  await getOwnItem(db, key);
  return queryVersions(db, key, `${newestFirst} limit 1000`);
}

export type Release = ItemVersion & { readonly file: VersionFile };

interface ReleaseFilter extends ItemKey {
  /** If given, only versions of this channel. */
  readonly channel?: Channel | undefined;
  /** If given, only versions that were released until this time. */
  readonly until?: Date | undefined;
}

/** Lists the newest 100 versions that have a file and match the filter, newest first. */
export const listReleases = async (db: Queryable, filter: ReleaseFilter): Promise<Release[]> =>
  (await queryVersions(
    db,
    filter,
    `and file_key is not null and ($3::text is null or channel = $3)
       and ($4::timestamptz is null or created_at <= $4) ${newestFirst} limit 100`,
    [filter.channel ?? null, filter.until ?? null],
  )) as Release[];

export async function findVersion(db: Queryable, key: VersionKey): Promise<ItemVersion | undefined> {
  const [found] = await queryVersions(db, key, 'and version = $3', [key.version]);
  return found;
}

/**
 * Finds the file of the given version. If no version is given, finds the newest stable version that has a
 * file. Returns undefined if there is no file.
 */
export async function findDownload(
  db: Queryable,
  wanted: ItemKey & { version: string | undefined },
): Promise<Release | undefined> {
  const { version } = wanted;
  const [found] =
    version === undefined
      ? await queryVersions(
          db,
          wanted,
          `and channel = 'stable' and file_key is not null ${newestFirst} limit 1`,
        )
      : await queryVersions(db, wanted, 'and version = $3', [version]);
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

/** Lists items, newest first. In a search, a page with few or no items can still have a next page. */
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
  // The search scans a limited number of items. If more items follow, the next page begins after the last
  // scanned item.
  const { rows } = await db.query<{ id: bigint }>(
    `select id from items ${fitting} order by id desc limit 1 offset $5`,
    [...values, maxScanned - 1],
  );
  return { items, nextId: rows[0]?.id };
}

/** Selects items, oldest first, so that all items can be read page by page. */
export const selectItemsAfter = (
  db: Queryable,
  from: { workspaceId: bigint; afterId: bigint; limit: number },
): Promise<Item[]> =>
  queryRows<Item>(db, 'select * from items where workspace_id = $1 and id > $2 order by id limit $3', [
    from.workspaceId,
    from.afterId,
    from.limit,
  ]);
