// Stores files of items on disk. Their names are generated, and a file is either complete or absent.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@counterfoil/kit/process/files';

export interface StoredFile {
  /** The generated name of the file on disk, which is never shown. */
  readonly key: string;
  readonly bytes: bigint;
  readonly sha256: Buffer;
  /**
   * The SHA-1 hash, by which Composer verifies archives. It is undefined for files that were stored before
   * the service recorded this hash.
   */
  readonly sha1: Buffer | undefined;
}

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
}

const keyForm = /^[0-9a-f]{32}$/;
const draftsFolder = 'drafts';
/** The age at which the file of an interrupted upload is removed. No upload lasts this long. */
const draftLifeMs = 24 * 3_600_000;

/**
 * Returns the folder and the path of a file. A key is 32 generated hex digits, so no text of a request is
 * ever part of a path.
 */
function folderAndPath(filesDir: string, key: string): { folder: string; path: string } {
  if (!keyForm.test(key)) throw new Error('not a key of a file');
  const folder = join(filesDir, key.slice(0, 2));
  return { folder, path: join(folder, key) };
}

/**
 * Stores a file. The file is first written as a draft. When the draft is complete and synced to disk, it
 * gets its final name. After an error, no file remains.
 */
export async function storeFile(
  filesDir: string,
  source: Readable,
  limits: { maxBytes: number },
): Promise<StoredFile> {
  const key = randomUUID().replaceAll('-', '');
  const { folder, path } = folderAndPath(filesDir, key);
  await makeFolder(folder);
  const work = async (draft: string, written: Omit<StoredFile, 'key'>) => {
    await rename(draft, path);
    await syncFolder(folder);
    return { key, ...written };
  };
  return withDraft(filesDir, source, { ...limits, work });
}

/**
 * Writes a draft file and calls `work` with its path. Then removes the draft, unless `work` has moved it to
 * another path.
 */
export async function withDraft<T>(
  filesDir: string,
  source: Readable,
  options: { maxBytes: number; work: (path: string, written: Omit<StoredFile, 'key'>) => Promise<T> },
): Promise<T> {
  const drafts = join(filesDir, draftsFolder);
  const draft = join(drafts, randomUUID().replaceAll('-', ''));
  await makeFolder(drafts);
  try {
    return await options.work(draft, await writeDraft(draft, source, options.maxBytes));
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, source: Readable, maxBytes: number) {
  const hash = createHash('sha256');
  const sha1 = createHash('sha1');
  let bytes = 0;
  const measure = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(new FileTooLargeError('more bytes than allowed'));
      hash.update(chunk);
      sha1.update(chunk);
      done(null, chunk);
    },
  });
  // `pipeline` destroys its source after an error. If the source were the request, the client would get no
  // answer, so the source is an iterator over the request. With `flush`, the file is synced to disk before it
  // is closed.
  await pipeline(
    source.iterator({ destroyOnReturn: false }),
    measure,
    createWriteStream(draft, { flags: 'wx', mode: 0o640, flush: true }),
  );
  return { bytes: BigInt(bytes), sha256: hash.digest(), sha1: sha1.digest() };
}

/** Syncs a folder to disk. A rename in the folder is durable only after this sync. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens a file, or returns undefined if the file does not exist. The caller must close the handle. */
export async function openFile(filesDir: string, key: string): Promise<FileHandle | undefined> {
  try {
    return await open(folderAndPath(filesDir, key).path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function removeFile(filesDir: string, key: string): Promise<void> {
  await rm(folderAndPath(filesDir, key).path, { force: true });
}

/** Removes the remains of interrupted uploads, and returns their number. */
export async function sweepDrafts(filesDir: string, now: Date): Promise<number> {
  const drafts = join(filesDir, draftsFolder);
  let removed = 0;
  for (const name of await readdir(drafts).catch(() => [])) {
    const path = join(drafts, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || now.getTime() - found.mtimeMs < draftLifeMs) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}
