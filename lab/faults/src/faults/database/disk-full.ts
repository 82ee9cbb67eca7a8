// The disk of the database is full for a few seconds, and is then freed again.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../../checker/check-test-run.ts';
import { needs } from '../../environment/machine.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { mountSmallDisk, type SmallDisk } from '../../environment/small-disk.ts';
import { openTestEnvironment, type TestEnvironment } from '../../environment/test-environment.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const diskMiB = 320;
const settings = { max_wal_size: '64MB', min_wal_size: '32MB' };

interface Counts {
  refusals: number;
  restarts: number;
  readonly recoveries: number[];
}

/** Restarts PostgreSQL if it answers neither now nor after 2 s. Returns whether it was restarted. */
async function bringBack(environment: TestEnvironment): Promise<boolean> {
  const isUp = await environment.db.query('select 1').then(
    () => true,
    () => false,
  );
  if (isUp) return false;
  await sleep(2000);
  const isBack = await environment.db.query('select 1').then(
    () => true,
    () => false,
  );
  if (isBack) return false;
  await environment.postgres.stop();
  await environment.postgres.restart();
  return true;
}

function fillRepeatedly(environment: TestEnvironment, disk: SmallDisk, counts: Counts): Promise<Verdict> {
  const [service] = environment.services;
  return underLoad(environment, async (testRun, load) => {
    const { counts: sent } = testRun.settler;
    for (let i = 0; i < environment.size(10, 1); i++) {
      await seePasses(load, 50);
      const before = sent.turnedAway + sent.unknown;
      environment.say(`filled with ${await disk.fill()} MiB`);
      // PostgreSQL continues as long as it has recycled WAL files, so the loop waits until callers are
      // refused.
      for (let waits = 0; sent.turnedAway + sent.unknown === before && waits < 300; waits++) {
        await disk.fill();
        await sleep(100);
      }
      await sleep(2000);
      counts.refusals += sent.turnedAway + sent.unknown - before;
      await disk.free();
      if (await bringBack(environment)) counts.restarts++;
      counts.recoveries.push(await measureRecovery(testRun, service?.url ?? ''));
    }
  });
}

export const diskFull: Fault = {
  name: 'disk-full',
  group: 'database',
  does: "the database's disk is filled to the last byte under load, and freed again",
  environment: { services: 0 },
  missing: needs({ programs: ['mount', 'umount'], linux: true, root: true }),
  run: async (outer) => {
    const folder = await mkdtemp(join(tmpdir(), 'counterfoil-disk-'));
    await chmod(folder, 0o755);
    const disk = await mountSmallDisk(join(folder, 'disk'), diskMiB);
    const counts: Counts = { refusals: 0, restarts: 0, recoveries: [] };
    try {
      const environment = await openTestEnvironment(outer, { dataDir: disk.folder, settings });
      try {
        const verdict = await fillRepeatedly(environment, disk, counts);
        return toResult(
          [verdict],
          [
            { label: 'attempts not served during the fault', value: counts.refusals, atLeast: 1 },
            { label: 'restarts of PostgreSQL', value: counts.restarts },
            ...describeRecovery('after the disk has room and PostgreSQL runs', counts.recoveries),
          ],
        );
      } finally {
        await disk.free();
        await environment.close();
      }
    } finally {
      await disk.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
