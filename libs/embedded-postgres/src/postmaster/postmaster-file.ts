// Reads and repairs postmaster.pid, in which a running PostgreSQL says who it is.
import { constants, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeptFile } from '@counterfoil/kit/process/files';

// Above every limit for process ids, so that no process ever carries it.
const nobodysPid = 2_147_483_647;
const statusLine = 7;

export interface PostmasterFile {
  readonly pid: number;
  readonly isReady: boolean;
}

export async function findPostmasterFile(clusterDir: string): Promise<PostmasterFile | undefined> {
  const text = await readKeptFile(pathIn(clusterDir));
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, isReady: lines[statusLine]?.trim() === 'ready' };
}

/**
 * After a crash the file names a process that is dead, or that has nothing to do with us: ids are
 * reused, in a restarted container even by PostgreSQL's own next start. PostgreSQL would refuse to
 * start on account of a stranger. The file must not simply go, though: by the shared memory that it
 * names PostgreSQL recognises processes of its own that still write to the folder. So only the id
 * changes.
 */
export async function disownPostmasterFile(clusterDir: string): Promise<void> {
  const path = pathIn(clusterDir);
  const text = await readKeptFile(path);
  if (text === undefined) return;
  if ((await findPostmasterFile(clusterDir)) === undefined) {
    // Empty or garbled by a power cut: it names no shared memory, and PostgreSQL would refuse it.
    await rm(path, { force: true });
    return;
  }
  const [, ...rest] = text.split('\n');
  // The folder belongs to the server's user, who must not choose where root writes.
  const handle = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  try {
    await handle.writeFile(`${[nobodysPid, ...rest].join('\n')}\n`);
  } finally {
    await handle.close();
  }
}

function pathIn(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}
