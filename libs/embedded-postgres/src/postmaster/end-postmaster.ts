// Ends a PostgreSQL server, even if the process that started the server was killed.

import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { errorCode } from '@counterfoil/kit/process/files';
import { PlainError } from '@counterfoil/kit/process/plain-error';
import { disownPostmasterFile, findPostmasterFile, isPostgresOf } from './postmaster-file.ts';

const pollMs = 10;

// SIGINT is PostgreSQL's fast shutdown, which disconnects clients and writes everything to disk. SIGQUIT is
// its immediate shutdown, after which the next start recovers.
const steps = [
  { signal: 'SIGINT', waitMs: deadlineMs(20_000) },
  { signal: 'SIGQUIT', waitMs: deadlineMs(10_000) },
  { signal: 'SIGKILL', waitMs: deadlineMs(5_000) },
] as const;

export async function endPostmaster(options: {
  pid: number;
  hasEnded: () => boolean | Promise<boolean>;
}): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (await options.hasEnded()) return;
    signalProcess(options.pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (await options.hasEnded()) return;
      await sleep(pollMs);
    }
  }
  throw new PlainError(`PostgreSQL (process ${options.pid}) does not end, not even after SIGKILL.`);
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Ends a server that an earlier start left running. The caller must hold the lock of the folder. The lock
 * proves that the process that started the server has ended.
 */
export async function endLeftBehindPostmaster(options: {
  clusterDir: string;
  onProgress: (message: string) => void;
}): Promise<void> {
  const { clusterDir } = options;
  const file = await findPostmasterFile(clusterDir);
  if (file !== undefined && (await isPostgresOf(file.pid, clusterDir))) {
    const { pid } = file;
    options.onProgress(`Stopping a PostgreSQL that an earlier start left running (process ${pid})`);
    await endPostmaster({ pid, hasEnded: async () => !(await isPostgresOf(pid, clusterDir)) });
  }
  await disownPostmasterFile(clusterDir);
}

/**
 * Ends the child processes of a postmaster that was killed. A child exits when it checks whether the
 * postmaster still runs, but a long computation may delay this check forever. So each child gets a signal.
 * The children can be found on Linux only. On other systems, the start waits for the children.
 */
export async function endLeftBehindChildren(clusterDir: string): Promise<void> {
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await isPostgresOf(pid, clusterDir))) {
      signalProcess(pid, 'SIGQUIT');
    }
  }
}
