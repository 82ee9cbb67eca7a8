// Hundreds of thousands of movements over two processes, with kills of either and of PostgreSQL all the while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../checker/check-episode.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import type { Scene } from '../scene/scene.ts';

/** What the log of one package holds at most: the checker reads all of it into memory. */
const perEpisode = 50_000;

async function strike(scene: Scene): Promise<void> {
  if (scene.random.below(3) === 0) {
    await scene.postgres.crash(scene.random.pick(['kill-all', 'kill-postmaster', 'immediate']));
    await sleep(scene.random.below(500));
    await scene.postgres.restart();
    return;
  }
  const service = scene.random.pick(scene.services);
  await service.end('SIGKILL');
  await service.start();
}

/** With what the other checks acknowledge, a whole run comes to more than a million. */
export const longRun: Fault = {
  name: 'long-run',
  group: 'long',
  does: '300,000 acknowledged movements over two processes, with kills all the while',
  scene: { services: 2, settings: { max_wal_size: '4GB' } },
  run: async (scene) => {
    const wanted = scene.size(300_000, 4000);
    const size = Math.min(perEpisode, scene.size(perEpisode, 2000));
    const verdicts: Verdict[] = [];
    let acknowledged = 0;
    let kills = 0;
    while (acknowledged < wanted) {
      const episode = await scene.openEpisode({ players: 200 });
      const load = startLoad(episode, scene.random, { callers: 96 });
      for (let part = 0; part < 2; part++) {
        await load.passes(Math.ceil(size / 2));
        await strike(scene);
        kills++;
      }
      await load.stop();
      const verdict = await episode.finish();
      await episode.close();
      verdicts.push(verdict);
      acknowledged += verdict.tally.acknowledged;
      scene.say(`${acknowledged.toLocaleString('en')} of ${wanted.toLocaleString('en')}`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: kills },
      { label: 'wanted', value: wanted, atMost: acknowledged },
    ]);
  },
};
