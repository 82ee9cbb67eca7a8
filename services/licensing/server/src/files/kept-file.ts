// Item files on disk: under names of our own making, whole or not there, shared between processes.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '@counterfoil/kit/process/files';

export interface KeptFile {
  readonly key: string;
  readonly bytes: bigint;
  readonly sha256: Buffer;
}

export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
}

const keyForm = /^[0-9a-f]{32}$/;
const draftsFolder = 'drafts';
/** Longer than any upload that is still under way. */
const draftLifeMs = 24 * 3_600_000;

/** No text from outside is ever part of a path: a key is 32 hex digits that we made. */
function folderAndPath(filesDir: string, key: string): { folder: string; path: string } {
  if (!keyForm.test(key)) throw new Error('not a key of a file');
  const folder = join(filesDir, key.slice(0, 2));
  return { folder, path: join(folder, key) };
}

/**
 * Streams a file to disk and gives it its name only when all of it is there and durable. Whatever
 * goes wrong on the way, nothing is left behind.
 */
export async function keepFile(
  filesDir: string,
  source: Readable,
  limits: { maxBytes: number },
): Promise<KeptFile> {
  const key = randomUUID().replaceAll('-', '');
  const { folder, path } = folderAndPath(filesDir, key);
  const drafts = join(filesDir, draftsFolder);
  const draft = join(drafts, key);
  await makeFolder(drafts);
  await makeFolder(folder);
  try {
    const kept = await writeDraft(draft, source, limits.maxBytes);
    await rename(draft, path);
    await syncFolder(folder);
    return { key, ...kept };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Streams a file to disk for the time of some work on it; whatever comes of that, it is gone. */
export async function withDraft<T>(
  filesDir: string,
  source: Readable,
  options: { maxBytes: number; work: (path: string) => Promise<T> },
): Promise<T> {
  const drafts = join(filesDir, draftsFolder);
  const draft = join(drafts, randomUUID().replaceAll('-', ''));
  await makeFolder(drafts);
  try {
    await writeDraft(draft, source, options.maxBytes);
    return await options.work(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(
  draft: string,
  source: Readable,
  maxBytes: number,
): Promise<{ bytes: bigint; sha256: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(new FileTooLargeError('more bytes than allowed'));
      hash.update(chunk);
      done(null, chunk);
    },
  });
  // Not the source itself: a pipeline that fails destroys it, and with it the way back to the sender.
  // `flush` makes the stream sync the file before it closes it.
  await pipeline(
    source.iterator({ destroyOnReturn: false }),
    measure,
    createWriteStream(draft, { flags: 'wx', mode: 0o640, flush: true }),
  );
  return { bytes: BigInt(bytes), sha256: hash.digest() };
}

/** A new name in a folder is durable only when the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The caller closes it; undefined where there is no such file. */
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

/** Removes what processes that were killed in the middle of an upload left; says how many. */
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
