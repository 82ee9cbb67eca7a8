// Attaches a file to a version of an item, replacing an earlier file.
import type { Readable } from 'node:stream';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../audit/audit-event.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { FileTooLargeError, removeFile, type StoredFile, storeFile } from '../../files/stored-file.ts';
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

interface Deps {
  readonly db: Db;
  readonly filesDir: string;
  readonly maxBytes: number;
  readonly logger: { warn(details: object, message: string): void };
}

export async function attachFile(deps: Deps, upload: Upload): Promise<ItemVersion> {
  const { db } = deps;
  const { workspaceId } = upload.caller;
  const key = { workspaceId, itemId: upload.itemId, version: upload.version };
  // An upload may have gigabytes, so the item and the version are checked before the upload is read.
  await getOwnItem(db, key);
  if (!(await findVersion(db, key))) throw fail('version_not_found');
  const stored = await receive(deps, upload.source);
  const { version, replaced } = await record(deps, stored, upload);
  if (replaced !== undefined) await removeQuietly(deps, replaced);
  return version;
}

/**
 * Records the file in the database. After an error, removes the new file, unless the transaction may have
 * been committed. In this case the file stays: a file that no version uses does no harm, but a version
 * without its file cannot be downloaded.
 */
async function record(deps: Deps, stored: StoredFile, upload: Upload) {
  let mayBeCommitted = false;
  try {
    if (stored.bytes === 0n) throw fail('invalid_body', { errors: { body: ['must not be an empty file.'] } });
    const given = { ...upload, at: upload.now() };
    return await deps.db.transaction(async (tx) => {
      const recorded = await recordFile(tx, stored, given);
      mayBeCommitted = true;
      return recorded;
    });
  } catch (error) {
    if (!mayBeCommitted) await removeQuietly(deps, stored.key);
    else deps.logger.warn({ file_key: stored.key }, 'a stored file may belong to no version');
    throw error;
  }
}

async function removeQuietly({ filesDir, logger }: Deps, key: string): Promise<void> {
  await removeFile(filesDir, key).catch((error: unknown) =>
    logger.warn({ err: error, file_key: key }, 'a file that belongs to no version could not be removed'),
  );
}

async function receive({ filesDir, maxBytes }: Deps, source: Readable): Promise<StoredFile> {
  try {
    return await storeFile(filesDir, source, { maxBytes });
  } catch (error) {
    if (error instanceof FileTooLargeError) throw fail('body_too_large');
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw fail('unavailable', { cause: error });
    // The client has disconnected. This is not an internal error, so it is reported as a malformed request.
    // Nobody reads the answer.
    if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
      throw fail('malformed_request', { cause: error });
    throw error;
  }
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
