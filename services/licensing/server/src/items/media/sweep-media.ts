// Removes media files from the disk: files that were replaced or removed, and files of interrupted uploads.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FileDeps } from '../../files/receive-file.ts';
import { removeFile, sweepDrafts } from '../../files/stored-file.ts';
import { mediaFolder } from './media-file.ts';
import { findKnownKeys, listRemovedMedia } from './queries.ts';
import { deleteMedia } from './store.ts';

interface Deps extends Pick<FileDeps, 'filesDir'> {
  readonly db: Db;
  readonly now: () => Date;
}

const batchSize = 500;
const pauseMs = 10 * 60_000;
/** The age at which a file without a row is removed. An upload stores its row seconds after its file. */
const unknownLifeMs = 24 * 3_600_000;

/** Removes the files that no item uses any more, then their rows. Returns the number of files. */
export async function removeReleasedFiles({ db, filesDir }: Deps): Promise<number> {
  let removed = 0;
  for (;;) {
    const batch = await listRemovedMedia(db, batchSize);
    for (const media of batch) {
      await removeFile(mediaFolder(filesDir, media.workspaceId), media.key);
      await deleteMedia(db, media);
    }
    removed += batch.length;
    if (batch.length < batchSize) return removed;
  }
}

/**
 * Removes the files of uploads that were interrupted before their row was committed. Returns the number of
 * files.
 */
export async function removeUnknownFiles({ db, filesDir, now }: Deps): Promise<number> {
  let removed = 0;
  const root = dirname(mediaFolder(filesDir, 0n));
  for (const workspace of await listFolder(root)) {
    if (!/^\d{1,18}$/.test(workspace)) continue;
    const workspaceId = BigInt(workspace);
    const folder = mediaFolder(filesDir, workspaceId);
    removed += await sweepDrafts(folder, now());
    for (const part of await listFolder(folder)) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue;
      const keys = await listOldFiles(join(folder, part), now());
      const known = await findKnownKeys(db, { workspaceId, keys });
      const unknown = keys.filter((key) => !known.has(key));
      for (const key of unknown) await removeFile(folder, key);
      removed += unknown.length;
    }
  }
  return removed;
}

const listFolder = (path: string): Promise<string[]> => readdir(path).catch(() => []);

async function listOldFiles(folder: string, now: Date): Promise<string[]> {
  const old: string[] = [];
  for (const name of await listFolder(folder)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && /^[0-9a-f]{32}$/.test(name) && now.getTime() - found.mtimeMs >= unknownLifeMs)
      old.push(name);
  }
  return old;
}

/** Sweeps once, then removes released files every 10 minutes. */
export function startMediaSweeper(deps: Deps & { onError: (error: unknown) => void }) {
  let isFirst = true;
  const sweeper = repeat(
    async () => {
      if (isFirst) await removeUnknownFiles(deps);
      isFirst = false;
      await removeReleasedFiles(deps);
    },
    pauseMs,
    deps.onError,
  );
  void sweeper.now();
  return sweeper;
}
