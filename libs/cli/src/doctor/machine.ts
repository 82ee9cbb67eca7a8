// The facts about the machine that the doctor reads. Tests replace them to simulate faults.
import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Environment } from '@counterfoil/kit/process/config';

export type Machine = ReturnType<typeof machineOf>;

export const machineOf = (env: Environment) => ({
  env,
  nodeVersion: process.versions.node,
  readDisk,
  readOpenFiles,
});

async function readDisk(path: string) {
  const { bavail, blocks, bsize, files, ffree } = await statfs(findExisting(path));
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    /** The fraction of the inodes that is free, or undefined if the file system does not count inodes. */
    freeFilesPart: files === 0 ? undefined : ffree / files,
  };
}

/** Returns the folder, or its nearest parent that exists. */
export function findExisting(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Returns the limit of open files per process, or undefined if the system does not report it. */
async function readOpenFiles(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => undefined);
  const soft = limits && /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (soft !== undefined) return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  const report = process.report?.getReport() as
    | { userLimits?: { open_files?: { soft?: number | string } } }
    | undefined;
  const softLimit = report?.userLimits?.open_files?.soft;
  return softLimit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(softLimit) || undefined;
}
