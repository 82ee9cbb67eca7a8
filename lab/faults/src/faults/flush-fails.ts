// One flush of the log fails with EIO: PostgreSQL panics and recovers, and nothing told is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { needs } from '../scene/programs.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import type { Scene } from '../scene/scene.ts';
import { inject } from '../scene/strace.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

/** The sessions that flush when the wallet commits. */
async function listLedgerSessions(scene: Scene): Promise<number[]> {
  const { rows } = await scene.db.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'counterfoil ledger'",
  );
  return rows.map((row) => row.pid);
}

/** Changes with every crash from which the server has recovered. */
async function readStart(scene: Scene): Promise<string> {
  for (;;) {
    try {
      const { rows } = await scene.db.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'checkpointer'",
      );
      if (rows[0]) return String(rows[0].pid);
    } catch {
      // It is recovering.
    }
    await sleep(20);
  }
}

export const flushFails: Fault = {
  name: 'flush-fails',
  group: 'database',
  does: 'one fdatasync of a committing session fails with EIO: PostgreSQL panics and recovers',
  missing: needs({ programs: ['strace'], linux: true, root: true }),
  run: async (scene) => {
    const times = scene.size(20, 2);
    const recoveries: number[] = [];
    let panics = 0;
    const [service] = scene.services;
    const verdict = await underLoad(scene, async (episode, load) => {
      for (let i = 0; i < times; i++) {
        const before = await readStart(scene);
        const nth = scene.random.between(1, 20);
        const injection = await inject(
          await listLedgerSessions(scene),
          `fdatasync:error=EIO:when=${nth}`,
        );
        // All are ended by the panic, and strace with them.
        for (let waits = 0; (await readStart(scene)) === before && waits < 200; waits++) {
          await seePasses(load, 1);
        }
        if ((await readStart(scene)) !== before) panics++;
        recoveries.push(await measureRecovery(episode, service?.url ?? ''));
        await injection.stop();
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'panics', value: panics, atLeast: times },
        ...describeRecovery('answers once the database is back', recoveries),
      ],
    );
  },
};
