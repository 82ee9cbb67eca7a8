// Measures the resources of an idle wallet process: memory, open files and busy database sessions.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { ResourceUsage } from '../checker/check-deadlines.ts';

const restMs = 5000;

export async function measureResourceUsage(db: Db, pid: number): Promise<ResourceUsage> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return {
    residentMiB: Math.round(Number(stdout.trim()) / 1024),
    openFiles: await countFiles(pid),
    busySessions: await countBusy(db),
  };
}

/** Counts the open files of a process. The result is 0 on systems without /proc. */
const countFiles = (pid: number): Promise<number> =>
  readdir(`/proc/${pid}/fd`).then(
    (files) => files.length,
    () => 0,
  );

/**
 * Returns the number of busy sessions. Waits up to 5 s until no session is busy, because only a session that
 * stays busy is stuck.
 */
async function countBusy(db: Db): Promise<number> {
  for (const deadline = performance.now() + restMs; ; await sleep(100)) {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend' and state <> 'idle'`,
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0 || performance.now() > deadline) return count;
  }
}
