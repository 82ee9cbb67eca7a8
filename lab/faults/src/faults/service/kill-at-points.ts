// kill -9 of the service at exact points: before a batch is sent, after its commit, and between its answers.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../../checker/check-test-run.ts';
import { startLoad } from '../../client/load.ts';
import { walletInParts } from '../../environment/service.ts';
import { type Fault, toResult } from '../../fault.ts';

const points = ['before-send', 'after-commit', 'between-answers'] as const;
const patienceMs = 120_000;
const preload = fileURLToPath(new URL('../../crash-preload.js', import.meta.url));

/**
 * Waits until the process has ended. Rejects if the process has not reached the crash point after two
 * minutes.
 */
async function seeEnd(ended: Promise<number | null>): Promise<number | null> {
  const isLate = sleep(patienceMs, 'late' as const, { ref: false });
  const end = await Promise.race([ended, isLate]);
  if (end !== 'late') return end;
  throw new Error(`the service did not crash within ${patienceMs / 1000} s`);
}

/**
 * Whether the process crashed at the wanted point, after it had sent the number of answers that this point
 * requires.
 */
export function isAtPoint(point: string, note: CrashReport | undefined): boolean {
  if (note?.point !== point || note.orders < 1) return false;
  if (point !== 'between-answers') return note.answered === 0;
  return note.orders > 1 && note.answered === 1;
}

export const killAtPoints: Fault = {
  name: 'kill-at-points',
  group: 'service',
  does: 'kill -9 before a batch is sent, after its commit, and between two of its answers',
  environment: { services: 0 },
  run: async (environment) => {
    const rounds = environment.size(20, 2);
    const reportFile = join(environment.folder, 'crash-note.json');
    const crashing = (point: string) => ({
      nodeFlags: ['--import', preload],
      program: walletInParts,
      env: {
        FAULTS_CRASH_AT: `${point}:${environment.random.between(5, 60)}`,
        FAULTS_CRASH_NOTE: reportFile,
      },
    });
    const service = await environment.addService();
    const verdicts: Verdict[] = [];
    const died = new Map<string, number>();
    for (const point of points) {
      const testRun = await environment.openTestRun();
      const load = startLoad(testRun, environment.random);
      for (let i = 0; i < rounds; i++) {
        await service.end('SIGKILL');
        await service.start(crashing(point));
        const end = await seeEnd(service.ended());
        const note = await readCrashReport(reportFile);
        if (end === null && isAtPoint(point, note)) died.set(point, (died.get(point) ?? 0) + 1);
        environment.say(`${point}: ended with ${end}, ${JSON.stringify(note)}`);
        await service.start({ nodeFlags: [], env: {} });
      }
      await load.stop();
      verdicts.push(await testRun.finish());
      await testRun.close();
    }
    return toResult(verdicts, [
      { label: 'kills', value: [...died.values()].reduce((sum, count) => sum + count, 0) },
      ...points.map((point) => ({ label: point, value: died.get(point) ?? 0, atLeast: rounds })),
    ]);
  },
};

export interface CrashReport {
  readonly point: string;
  /** Number of orders in the batch during which the process crashed. */
  readonly orders: number;
  /** Number of answers that were sent. */
  readonly answered: number;
  /** Number of answers that were ready but not sent. */
  readonly heldBack: number;
}

/**
 * Reads and removes the report that the process wrote before the planned crash. Returns undefined if there is
 * no report, because the process ended for another reason.
 */
async function readCrashReport(file: string): Promise<CrashReport | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(file, { force: true });
  return text === undefined ? undefined : (JSON.parse(text) as CrashReport);
}
