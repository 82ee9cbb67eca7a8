// PostgreSQL ended in every abrupt way under load; the service stays up and finds it again by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../checker/check-returned.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { measureHolding } from '../scene/holding.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { firstService } from '../scene/scene.ts';

const ways = ['kill-all', 'kill-postmaster', 'immediate'] as const;

export const killPostgres: Fault = {
  name: 'kill-postgres',
  group: 'database',
  does: 'kill -9 of all of PostgreSQL, of its postmaster alone, and its immediate stop, under load',
  run: async (scene) => {
    const rounds = scene.size(10, 1);
    const service = firstService(scene);
    const episode = await scene.openEpisode();
    const before = await measureHolding(scene.db, service.pid());
    const load = startLoad(episode, scene.random);
    const recoveries: number[] = [];
    for (let i = 0; i < rounds * ways.length; i++) {
      await load.passes(scene.random.between(50, 400));
      await scene.postgres.crash(ways[i % ways.length] ?? 'immediate');
      await sleep(scene.random.between(0, 1500));
      await scene.postgres.restart();
      recoveries.push(await measureRecovery(episode, service.url));
    }
    await load.stop();
    const { turnedAway } = episode.settler.counts;
    const verdict = await episode.finish();
    const after = await measureHolding(scene.db, service.pid());
    const { violations, figures } = toResult(
      [verdict],
      [
        { label: 'kills', value: rounds * ways.length },
        { label: '503 meanwhile', value: turnedAway, atLeast: 1 },
        ...describeRecovery('answers after the database does', recoveries),
      ],
    );
    return { figures, violations: [...violations, ...checkReturned(before, after)] };
  },
};
