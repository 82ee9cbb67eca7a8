// Kills a first start while initdb runs, and checks that the next start finds no partial cluster.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { expect } from 'vitest';
import { signalProcess } from '../postmaster/end-postmaster.ts';
import { finish, type Starts } from './starts.ts';

/**
 * The maximum number of attempts. If initdb ends before it is killed, an attempt proves nothing and is
 * repeated.
 */
export const maxAttempts = 20;

/**
 * Kills a first start as soon as the path `moment` exists in the folder of the unfinished cluster: the
 * launcher, and then its initdb.
 */
export async function killFirstStart(
  starts: Starts,
  { moment, folder }: { moment: string; folder: string },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    expect(attempt).toBeLessThanOrEqual(maxAttempts);
    const fresh = `${folder}-${attempt}`;
    const first = starts.launch('hold', fresh);
    await eventually(async () => expect(await hasBegun(fresh, moment)).toBe(true));
    await first.kill();
    await killAllOf(fresh);
    const isWhole = (await readdir(fresh)).includes('postgres');
    await finish(starts.launch('stop', fresh));
    const names = await readdir(fresh);
    expect(names.filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(names).toContain('postgres');
    if (!isWhole) return;
  }
}

/**
 * Kills initdb and its backends, which outlive the launcher. The folder in their command lines identifies
 * them.
 */
async function killAllOf(folder: string): Promise<void> {
  await eventually(() => {
    const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
    const left = lines.filter((line) => line.includes(`${folder}/`)).map((line) => Number.parseInt(line, 10));
    for (const pid of left) signalProcess(pid, 'SIGKILL');
    expect(left).toEqual([]);
  });
}

/** Whether the path exists in the folder of the unfinished cluster, or the cluster is already complete. */
export async function hasBegun(folder: string, moment: string): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes('postgres')) return true;
  const unfinished = names.find((name) => name.startsWith('postgres-unfinished-'));
  return unfinished !== undefined && existsSync(join(folder, unfinished, moment));
}
