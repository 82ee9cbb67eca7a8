// kill -9 of the service exactly before a batch is sent, after its commit, and between its answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../checker/check-episode.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { walletInParts } from '../scene/service.ts';

const points = ['before-send', 'after-commit', 'between-answers'] as const;
const patienceMs = 120_000;
const preload = fileURLToPath(new URL('../crash-preload.js', import.meta.url));

/** A point that is never reached must be told, not waited for. */
async function seeEnd(ended: Promise<unknown>): Promise<void> {
  const isLate = sleep(patienceMs, true, { ref: false });
  if ((await Promise.race([ended.then(() => false), isLate])) === true) {
    throw new Error(`the service did not reach its point within ${patienceMs / 1000} s`);
  }
}

export const killAtPoints: Fault = {
  name: 'kill-at-points',
  group: 'service',
  does: 'kill -9 before a batch is sent, after its commit, and between two of its answers',
  scene: { services: 0 },
  run: async (scene) => {
    const rounds = scene.size(20, 2);
    const crashing = (point: string) => ({
      nodeFlags: ['--import', preload],
      program: walletInParts,
      env: { FAULTS_CRASH_AT: `${point}:${scene.random.between(5, 60)}` },
    });
    const service = await scene.addService();
    const verdicts: Verdict[] = [];
    const died = new Map<string, number>();
    for (const point of points) {
      const episode = await scene.openEpisode();
      const load = startLoad(episode, scene.random);
      for (let i = 0; i < rounds; i++) {
        await service.end('SIGKILL');
        await service.start(crashing(point));
        await seeEnd(service.ended());
        died.set(point, (died.get(point) ?? 0) + 1);
        await service.start({ nodeFlags: [], env: {} });
      }
      await load.stop();
      verdicts.push(await episode.finish());
      await episode.close();
      scene.say(`${point}: ${rounds} times`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: [...died.values()].reduce((sum, count) => sum + count, 0) },
      ...points.map((point) => ({ label: point, value: died.get(point) ?? 0, atLeast: rounds })),
    ]);
  },
};
