// Rows of `item_versions`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { ItemVersion, VersionFile } from '../item-version.ts';

interface Row {
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

function fromRow(row: Row): ItemVersion {
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

export async function insertVersion(
  tx: Tx,
  given: VersionKey & { notes: string; at: Date },
): Promise<void> {
  await tx.query(
    `insert into item_versions (workspace_id, item_id, version, notes, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [given.workspaceId, given.itemId, given.version, given.notes, given.at],
  );
}

const newestFirst = `string_to_array(version, '.')::bigint[] desc`;

export async function selectVersions(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion[]> {
  const { rows } = await db.query<Row>(
    `select * from item_versions where workspace_id = $1 and item_id = $2
     order by ${newestFirst} limit 1000`,
    [key.workspaceId, key.itemId],
  );
  return rows.map(fromRow);
}

export async function selectVersion(
  db: Queryable,
  key: VersionKey,
): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<Row>(
    'select * from item_versions where workspace_id = $1 and item_id = $2 and version = $3',
    [key.workspaceId, key.itemId, key.version],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function lockVersion(tx: Tx, key: VersionKey): Promise<ItemVersion | undefined> {
  const { rows } = await tx.query<Row>(
    `select * from item_versions where workspace_id = $1 and item_id = $2 and version = $3
     for update`,
    [key.workspaceId, key.itemId, key.version],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function selectNewestWithFile(
  db: Queryable,
  key: { workspaceId: bigint; itemId: bigint },
): Promise<ItemVersion | undefined> {
  const { rows } = await db.query<Row>(
    `select * from item_versions
     where workspace_id = $1 and item_id = $2 and file_key is not null
     order by ${newestFirst} limit 1`,
    [key.workspaceId, key.itemId],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function saveFile(tx: Tx, key: VersionKey, file: VersionFile): Promise<void> {
  await tx.query(
    `update item_versions set file_key = $4, file_name = $5, file_bytes = $6, file_sha256 = $7,
       uploaded_at = $8
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
    ],
  );
}
