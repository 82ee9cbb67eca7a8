// The disk of the database is full to the last byte for a while, and then has room again.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../checker/check-episode.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { needs } from '../scene/programs.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { openScene, type Scene } from '../scene/scene.ts';
import { mountSmallDisk, type SmallDisk } from '../scene/small-disk.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

const diskMiB = 320;
const settings = { max_wal_size: '64MB', min_wal_size: '32MB' };

interface Counts {
  refusals: number;
  restarts: number;
  readonly recoveries: number[];
}

/** Where it gave up altogether, whoever watches over it starts it again, as `npm start` does. */
async function bringBack(scene: Scene): Promise<boolean> {
  const isUp = await scene.db.query('select 1').then(
    () => true,
    () => false,
  );
  if (isUp) return false;
  await sleep(2000);
  const isBack = await scene.db.query('select 1').then(
    () => true,
    () => false,
  );
  if (isBack) return false;
  await scene.postgres.stop();
  await scene.postgres.restart();
  return true;
}

function fillAgainAndAgain(scene: Scene, disk: SmallDisk, counts: Counts): Promise<Verdict> {
  const [service] = scene.services;
  return underLoad(scene, async (episode, load) => {
    const { counts: told } = episode.settler;
    for (let i = 0; i < scene.size(10, 1); i++) {
      await seePasses(load, 50);
      const before = told.turnedAway + told.unknown;
      scene.say(`filled with ${await disk.fill()} MiB`);
      // Recycled files of the log last for a while; callers are turned away when they are used up.
      for (let waits = 0; told.turnedAway + told.unknown === before && waits < 300; waits++) {
        await disk.fill();
        await sleep(100);
      }
      await sleep(2000);
      counts.refusals += told.turnedAway + told.unknown - before;
      await disk.free();
      if (await bringBack(scene)) counts.restarts++;
      counts.recoveries.push(await measureRecovery(episode, service?.url ?? ''));
    }
  });
}

export const diskFull: Fault = {
  name: 'disk-full',
  group: 'database',
  does: "the database's disk is filled to the last byte under load, and freed again",
  scene: { services: 0 },
  missing: needs({ programs: ['mount', 'umount'], linux: true, root: true }),
  run: async (outer) => {
    const place = await mkdtemp(join(tmpdir(), 'counterfoil-disk-'));
    await chmod(place, 0o755);
    const disk = await mountSmallDisk(join(place, 'disk'), diskMiB);
    const counts: Counts = { refusals: 0, restarts: 0, recoveries: [] };
    try {
      const scene = await openScene(outer, { dataDir: disk.folder, settings });
      try {
        const verdict = await fillAgainAndAgain(scene, disk, counts);
        return toResult(
          [verdict],
          [
            { label: 'attempts not served meanwhile', value: counts.refusals, atLeast: 1 },
            { label: 'times that PostgreSQL had to be started again', value: counts.restarts },
            ...describeRecovery('answers once there is room and a database', counts.recoveries),
          ],
        );
      } finally {
        await disk.free();
        await scene.close();
      }
    } finally {
      await disk.remove();
      await rm(place, { recursive: true, force: true });
    }
  },
};
