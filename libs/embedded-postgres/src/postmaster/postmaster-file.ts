// Reads and repairs the file postmaster.pid, and identifies the PostgreSQL process that works in a cluster.
import { constants, open, readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readKeptFile } from '@counterfoil/kit/process/files';
import { runProgram } from '../binaries/run-program.ts';

// No process has this id, because it is larger than the largest process id of every system.
const nobodysPid = 2_147_483_647;
const statusLine = 7;

export async function findPostmasterFile(clusterDir: string) {
  const text = await readKeptFile(pathIn(clusterDir));
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, isReady: lines[statusLine]?.trim() === 'ready' };
}

/**
 * Repairs `postmaster.pid`. After a crash, this file contains the id of a dead process. The system may have
 * given that id to an unrelated process, or in a restarted container even to the new PostgreSQL. PostgreSQL
 * would then refuse to start. The file must not be deleted, because it names the shared memory by which
 * PostgreSQL finds its own processes that still write to the folder. So only the id in the file is replaced.
 */
export async function disownPostmasterFile(clusterDir: string): Promise<void> {
  const path = pathIn(clusterDir);
  const text = await readKeptFile(path);
  if (text === undefined) return;
  if ((await findPostmasterFile(clusterDir)) === undefined) {
    // After a power cut, the file may be empty or damaged, and PostgreSQL refuses to start with a damaged
    // file. The file can be removed, because it names no shared memory that could still be in use.
    await rm(path, { force: true });
    return;
  }
  const [, ...rest] = text.split('\n');
  // O_NOFOLLOW is needed because the folder belongs to the user that runs the server. A symlink of this user
  // must not redirect a write of root.
  const handle = await open(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  try {
    await handle.writeFile(`${[nobodysPid, ...rest].join('\n')}\n`);
  } finally {
    await handle.close();
  }
}

const pathIn = (clusterDir: string) => join(clusterDir, 'postmaster.pid');

/**
 * Whether a process belongs to the PostgreSQL of this cluster: the server, or on Linux also one of its
 * children. The result is false for dead, zombie and unrelated processes, so they get no signal from us.
 */
export async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') return isPostgresOnLinux(pid, clusterDir);
  const args = ['-ww', '-o', 'command=', '-p', String(pid)];
  const ps = await runProgram({ file: '/bin/ps', args, user: undefined });
  return ps.code === 0 && ps.output.includes(`bin/postgres -D ${clusterDir} -c `);
}

async function isPostgresOnLinux(pid: number, clusterDir: string): Promise<boolean> {
  const [exe, cwd] = await Promise.all([
    readlink(`/proc/${pid}/exe`).catch(() => undefined),
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  if (exe !== undefined && cwd !== undefined) {
    // An npm install may have replaced the file of a running program. Linux then appends " (deleted)" to the
    // path in `exe`.
    return cwd === clusterDir && basename(exe.replace(/ \(deleted\)$/, '')) === 'postgres';
  }
  // In a container, root may be unable to read these links. Root can read the arguments of the process
  // instead.
  const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return basename(argv[0] ?? '') === 'postgres' && argv[1] === '-D' && argv[2] === clusterDir;
}
