// kill -9 of the service under load, at random moments, again and again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../checker/check-episode.ts';
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { firstService } from '../scene/scene.ts';

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
    const service = firstService(scene);
    for (let done = 0; done < kills; ) {
      const episode = await scene.openEpisode();
      const load = startLoad(episode, scene.random);
      for (let i = 0; i < killsPerEpisode && done < kills; i++, done++) {
        await load.passes(scene.random.between(20, 200));
        await sleep(scene.random.below(50));
        await service.end('SIGKILL');
        const restartedAt = performance.now();
        await service.start();
        await measureRecovery(episode, service.url);
        recoveries.push(performance.now() - restartedAt);
      }
      await load.stop();
      verdicts.push(await episode.finish());
      await episode.close();
      scene.say(`${done} of ${kills} kills`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: kills, atLeast: kills },
      ...describeRecovery('answers after a restart', recoveries),
    ]);
  },
};
