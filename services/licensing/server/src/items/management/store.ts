// Writes `item_versions`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { ItemVersion, VersionFile } from '../item-version.ts';
import type { ItemKey } from '../queries.ts';
import { queryVersions, type VersionKey } from './queries.ts';

export type NewVersion = Pick<ItemVersion, 'version'> & Partial<Omit<ItemVersion, 'createdAt' | 'file'>>;

/** Inserts a version, and returns false if the item has it already. */
export async function insertVersion(tx: Tx, given: ItemKey & NewVersion & { at: Date }): Promise<boolean> {
  const { channel = 'stable', notes = '', requires = '', tested = '', requiresPhp = '' } = given;
  const { rowCount } = await tx.query(
    `insert into item_versions (workspace_id, item_id, version, created_at, channel, notes, requires,
       tested, requires_php)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [given.workspaceId, given.itemId, given.version, given.at, channel, notes, requires, tested, requiresPhp],
  );
  return rowCount === 1;
}

export async function lockVersion(tx: Tx, key: VersionKey): Promise<ItemVersion | undefined> {
  const [locked] = await queryVersions(tx, key, 'and version = $3 for update', [key.version]);
  return locked;
}

export async function saveStable(tx: Tx, { workspaceId, itemId, version }: VersionKey): Promise<void> {
  await tx.query(
    `update item_versions set channel = 'stable' where workspace_id = $1 and item_id = $2 and version = $3`,
    [workspaceId, itemId, version],
  );
}

export async function saveFile(tx: Tx, key: VersionKey, file: VersionFile): Promise<void> {
  await tx.query(
    `update item_versions set file_key = $4, file_name = $5, file_bytes = $6, file_sha256 = $7,
       uploaded_at = $8, file_sha1 = $9
     where workspace_id = $1 and item_id = $2 and version = $3`,
    [
      key.workspaceId,
      key.itemId,
      key.version,
      file.key,
      file.name,
      file.bytes,
      file.sha256,
      file.uploadedAt,
      file.sha1,
    ],
  );
}
