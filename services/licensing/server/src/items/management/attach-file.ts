// Attaches a file to a version of an item, replacing an earlier file.
import type { Readable } from 'node:stream';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import {
  type FileDeps,
  receiveFile,
  recordFiles,
  refuseEmpty,
  removeFiles,
} from '../../files/receive-file.ts';
import { type StoredFile, storeFile } from '../../files/stored-file.ts';
import type { ItemVersion, VersionFile } from '../item-version.ts';
import { findVersion, getOwnItem } from './queries.ts';
import { lockVersion, saveFile } from './store.ts';

interface FileToRecord {
  readonly caller: Caller;
  readonly itemId: bigint;
  readonly version: string;
  readonly fileName: string;
  readonly at: Date;
}

interface Upload extends Omit<FileToRecord, 'at'> {
  readonly source: Readable;
  readonly now: () => Date;
}

interface Deps extends FileDeps {
  readonly db: Db;
  readonly maxBytes: number;
}

export async function attachFile(deps: Deps, upload: Upload): Promise<ItemVersion> {
  const { db } = deps;
  const { workspaceId } = upload.caller;
  const key = { workspaceId, itemId: upload.itemId, version: upload.version };
  // An upload may have gigabytes, so the item and the version are checked before the upload is read.
  await getOwnItem(db, key);
  if (!(await findVersion(db, key))) throw fail('version_not_found');
  const { filesDir, maxBytes } = deps;
  const stored = await receiveFile(() => storeFile(filesDir, upload.source, { maxBytes }));
  const { version, replaced } = await recordFiles(deps, [stored.key], async (committing) => {
    if (stored.bytes === 0n) throw refuseEmpty();
    const given = { ...upload, at: upload.now() };
    return db.transaction(async (tx) => {
      const recorded = await recordFile(tx, stored, given);
      committing();
      return recorded;
    });
  });
  if (replaced !== undefined) await removeFiles(deps, [replaced]);
  return version;
}

/**
 * Saves the file of the version. If the version already had a file, returns the key of that file as
 * `replaced`.
 */
export async function recordFile(
  tx: Tx,
  stored: StoredFile,
  given: FileToRecord,
): Promise<{ version: ItemVersion; replaced: string | undefined }> {
  const { caller, itemId, version, at } = given;
  const key = { workspaceId: caller.workspaceId, itemId, version };
  const before = await lockVersion(tx, key);
  if (!before) throw fail('version_not_found');
  const file: VersionFile = { ...stored, name: given.fileName, uploadedAt: at };
  await saveFile(tx, key, file);
  const sha256 = stored.sha256.toString('hex');
  const details = { version, bytes: Number(stored.bytes), sha256, replaced: before.file !== undefined };
  const subject = { kind: 'item', id: String(itemId) };
  await recordAudit(tx, { ...caller, at, action: 'item_file_uploaded', subject, details });
  return { version: { ...before, file }, replaced: before.file?.key };
}
