// kill -9 of the service under load, at random moments, again and again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../checker/check-episode.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import type { Episode } from '../scene/episode.ts';
import { describeBestRecovery, measureRecovery } from '../scene/recovery.ts';
import { firstService } from '../scene/scene.ts';
import type { Service } from '../scene/service.ts';

/** A process that was running and ended by the signal; one that had gone by itself is none. */
async function kill(service: Service, dead: number[]): Promise<void> {
  const pid = service.pid();
  const wasRunning = service.isRunning();
  if ((await service.end('SIGKILL')) === null && wasRunning) dead.push(pid);
}

/** From the start to the first acknowledged movement of the process that comes after. */
async function restart(service: Service, episode: Episode): Promise<number> {
  const restartedAt = performance.now();
  await service.start();
  await measureRecovery(episode, service.url);
  return performance.now() - restartedAt;
}

/** The log is checked, and a new one begun, after so many kills. */
const killsPerEpisode = 20;

export const killService: Fault = {
  name: 'kill-service',
  group: 'service',
  does: 'kill -9 of the service under load, at random moments, and a restart each time',
  run: async (scene) => {
    const kills = scene.size(200, 5);
    const verdicts: Verdict[] = [];
    const recoveries: number[] = [];
    const alone: number[] = [];
    const dead: number[] = [];
    const service = firstService(scene);
    for (let done = 0; done < kills; ) {
      const episode = await scene.openEpisode();
      const load = startLoad(episode, scene.random);
      for (let i = 0; i < killsPerEpisode && done < kills; i++, done++) {
        await load.passes(scene.random.between(20, 200));
        await sleep(scene.random.below(50));
        await kill(service, dead);
        recoveries.push(await restart(service, episode));
      }
      await load.stop();
      for (let i = 0; done === kills && i < 3; i++) {
        await kill(service, []);
        alone.push(await restart(service, episode));
      }
      verdicts.push(await episode.finish());
      await episode.close();
      scene.say(`${dead.length} of ${kills} kills`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: dead.length, atLeast: kills },
      ...describeBestRecovery('answers after a restart', { underLoad: recoveries, alone }),
    ]);
  },
};
