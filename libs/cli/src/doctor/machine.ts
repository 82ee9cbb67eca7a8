// The facts about the machine that the doctor reads, as an interface with which tests simulate faults.
import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Environment } from '@counterfoil/kit/process/config';

interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** The free part of the inodes; undefined if the file system does not count them. */
  readonly freeFilesPart: number | undefined;
}

export interface Machine {
  readonly env: Environment;
  readonly nodeVersion: string;
  readonly readDisk: (path: string) => Promise<DiskSpace>;
  /** The limit of open files per process; undefined if the system does not report it. */
  readonly readOpenFiles: () => Promise<number | undefined>;
}

export const machineOf = (env: Environment): Machine => ({
  env,
  nodeVersion: process.versions.node,
  readDisk,
  readOpenFiles,
});

async function readDisk(path: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(findExisting(path));
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeFilesPart: files === 0 ? undefined : ffree / files,
  };
}

/** The folder, or its nearest parent that exists. */
export function findExisting(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

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
