// Reads uploaded media.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { ItemKey } from '../queries.ts';
import type { MediaFile } from './media-file.ts';

export interface MediaKey {
  readonly workspaceId: bigint;
  readonly key: string;
}

/** Finds a file to serve. */
export const findMedia = (
  db: Queryable,
  { workspaceId, key }: MediaKey,
): Promise<Pick<MediaFile, 'key' | 'bytes' | 'sha256' | 'type'> | undefined> =>
  queryRow(db, {
    name: 'select_media',
    text: `select file_key as key, bytes, sha256, type from item_media
      where workspace_id = $1 and file_key = $2 and removed_at is null`,
    values: [workspaceId, key],
  });

/** Lists the uploaded files of an item. */
export const listMedia = (db: Queryable, { workspaceId, itemId }: ItemKey): Promise<MediaFile[]> =>
  queryRows<MediaFile>(
    db,
    `select file_key as key, field, type, bytes, sha256, is_generated, source_sha256 from item_media
     where workspace_id = $1 and item_id = $2 and removed_at is null`,
    [workspaceId, itemId],
  );

/**
 * Adds up the sizes of the uploaded files of an item, and of all items of its workspace. The workspace's
 * replaced and removed files count until they have left the disk.
 */
export async function measureMedia(
  db: Queryable,
  { workspaceId, itemId }: ItemKey,
): Promise<{ itemBytes: bigint; workspaceBytes: bigint }> {
  const { rows } = await db.query<{ item_bytes: string; workspace_bytes: string }>(
    `select coalesce(sum(bytes) filter (where item_id = $2 and removed_at is null), 0)::text as item_bytes,
       coalesce(sum(bytes), 0)::text as workspace_bytes
     from item_media where workspace_id = $1`,
    [workspaceId, itemId],
  );
  const [sums] = rows;
  return {
    itemBytes: BigInt(sums?.item_bytes ?? 0),
    workspaceBytes: BigInt(sums?.workspace_bytes ?? 0),
  };
}

/**
 * Lists the files of a workspace that no item uses any more and that may still be on the disk. The list is in
 * the order of the keys and begins after the key of `after`.
 */
export const listRemovedMedia = (db: Queryable, after: MediaKey, limit: number): Promise<MediaKey[]> =>
  queryRows<MediaKey>(
    db,
    `select workspace_id, file_key as key from item_media
     where workspace_id = $1 and removed_at is not null and file_key > $2 order by file_key limit $3`,
    [after.workspaceId, after.key, limit],
  );

/** Returns those of the keys that belong to an upload. */
export async function findKnownKeys(
  db: Queryable,
  { workspaceId, keys }: { workspaceId: bigint; keys: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await db.query<{ file_key: string }>(
    'select file_key from item_media where workspace_id = $1 and file_key = any($2)',
    [workspaceId, keys],
  );
  return new Set(rows.map((row) => row.file_key));
}
