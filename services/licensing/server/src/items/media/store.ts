// Writes `item_media`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { ItemKey } from '../queries.ts';
import type { MediaFile } from './media-file.ts';
import type { MediaKey } from './queries.ts';

/**
 * Serialises the uploads of a workspace until the transaction ends. Two uploads at the same time could
 * otherwise exceed the limit of the workspace together.
 */
export async function lockWorkspaceMedia(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `media of workspace ${workspaceId}`,
  ]);
}

export async function insertMedia(tx: Tx, given: ItemKey & { file: MediaFile; at: Date }): Promise<void> {
  const { file } = given;
  await tx.query(
    `insert into item_media (workspace_id, file_key, item_id, field, is_generated, type, bytes, sha256,
       source_sha256, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      given.workspaceId,
      file.key,
      given.itemId,
      file.field,
      file.isGenerated,
      file.type,
      file.bytes,
      file.sha256,
      file.sourceSha256,
      given.at,
    ],
  );
}

/** Stops serving the files of an item that are not in `kept`, and returns these files. */
export const saveRemoved = (
  tx: Tx,
  given: ItemKey & { kept: readonly string[]; at: Date },
): Promise<Pick<MediaFile, 'field' | 'type' | 'bytes' | 'sha256'>[]> =>
  queryRows(
    tx,
    `update item_media set removed_at = $4
     where workspace_id = $1 and item_id = $2 and removed_at is null and not (file_key = any($3))
     returning field, type, bytes, sha256`,
    [given.workspaceId, given.itemId, given.kept, given.at],
  );

/** Deletes the row of a file that is no longer on the disk. */
export async function deleteMedia(db: Queryable, { workspaceId, key }: MediaKey): Promise<void> {
  await db.query(
    'delete from item_media where workspace_id = $1 and file_key = $2 and removed_at is not null',
    [workspaceId, key],
  );
}
