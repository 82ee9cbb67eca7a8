// Removes media files from the disk: files that were replaced or removed, and files of interrupted uploads.
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repeat } from '@counterfoil/kit/concurrency/repeat';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { FileDeps } from '../../files/receive-file.ts';
import { removeFile, sweepDrafts } from '../../files/stored-file.ts';
import { mediaFolder } from './media-file.ts';
import { findKnownKeys, listRemovedMedia, type MediaKey } from './queries.ts';
import { deleteMedia } from './store.ts';

interface Deps extends Pick<FileDeps, 'filesDir'> {
  readonly db: Db;
  readonly now: () => Date;
  /** Called for a file or folder that cannot be removed. The sweep goes on with the next one. */
  readonly onError: (error: unknown) => void;
}

const batchSize = 500;
const pauseMs = 10 * 60_000;
const unknownPauseMs = 24 * 3_600_000;
/** The age at which a file without a row is removed. An upload stores its row seconds after its file. */
const unknownLifeMs = 24 * 3_600_000;

/** Removes the files that no item uses any more, then their rows. Returns the number of files. */
export async function removeReleasedFiles(deps: Deps): Promise<number> {
  let removed = 0;
  for (const workspaceId of await listWorkspaces(deps)) removed += await removeReleasedOf(deps, workspaceId);
  return removed;
}

/** Lists the workspaces with a folder. Only an upload creates the folder of its workspace. */
async function listWorkspaces({ filesDir }: Deps): Promise<bigint[]> {
  const names = await listFolder(dirname(mediaFolder(filesDir, 0n)));
  return names.filter((name) => /^\d{1,18}$/.test(name)).map(BigInt);
}

async function removeReleasedOf({ db, filesDir, onError }: Deps, workspaceId: bigint): Promise<number> {
  const folder = mediaFolder(filesDir, workspaceId);
  let removed = 0;
  let after: MediaKey = { workspaceId, key: '' };
  for (;;) {
    const batch = await listRemovedMedia(db, after, batchSize);
    for (const media of batch) {
      after = media;
      if (!(await tryRemove(folder, media.key, onError))) continue;
      await deleteMedia(db, media);
      removed++;
    }
    if (batch.length < batchSize) return removed;
  }
}

/** Removes a file, and returns whether this was possible. */
const tryRemove = (folder: string, key: string, onError: Deps['onError']): Promise<boolean> =>
  removeFile(folder, key).then(
    () => true,
    (error: unknown) => {
      onError(error);
      return false;
    },
  );

/**
 * Removes the files of uploads that were interrupted before their row was committed. Returns the number of
 * files.
 */
export async function removeUnknownFiles(deps: Deps): Promise<number> {
  const { filesDir, now, onError } = deps;
  let removed = 0;
  for (const workspaceId of await listWorkspaces(deps)) {
    const folder = mediaFolder(filesDir, workspaceId);
    removed += await sweepDrafts(folder, now()).catch((error: unknown) => {
      onError(error);
      return 0;
    });
    for (const part of await listFolder(folder)) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue;
      const keys = await listOldFiles(join(folder, part), now());
      for (const key of await listUnknownKeys(deps, workspaceId, keys))
        if (await tryRemove(folder, key, onError)) removed++;
    }
  }
  return removed;
}

async function listUnknownKeys(
  { db }: Deps,
  workspaceId: bigint,
  keys: readonly string[],
): Promise<string[]> {
  const unknown: string[] = [];
  for (let from = 0; from < keys.length; from += batchSize) {
    const batch = keys.slice(from, from + batchSize);
    const known = await findKnownKeys(db, { workspaceId, keys: batch });
    unknown.push(...batch.filter((key) => !known.has(key)));
  }
  return unknown;
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

/**
 * Removes released files at once and every 10 minutes, and the files of interrupted uploads at once and every
 * day.
 */
export function startMediaSweeper(deps: Deps) {
  let nextMs = Number.NEGATIVE_INFINITY;
  const sweeper = repeat(
    async () => {
      const nowMs = deps.now().getTime();
      if (nowMs >= nextMs) {
        await removeUnknownFiles(deps);
        nextMs = nowMs + unknownPauseMs;
      }
      await removeReleasedFiles(deps);
    },
    pauseMs,
    deps.onError,
  );
  void sweeper.now();
  return sweeper;
}
