// Two processes replaced one after the other under load: somebody always answers.
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';

export const rollingRestart: Fault = {
  name: 'rolling-restart',
  group: 'service',
  does: 'two processes replaced in turn under load, by SIGTERM and by kill -9',
  scene: { services: 2 },
  run: async (scene) => {
    const rounds = scene.size(20, 2);
    const episode = await scene.openEpisode();
    const load = startLoad(episode, scene.random);
    let served = 0;
    for (let i = 0; i < rounds; i++) {
      for (const service of scene.services) {
        await load.passes(200);
        await service.end(i % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        const before = episode.settler.counts.acknowledged;
        await service.start();
        if (episode.settler.counts.acknowledged > before) served++;
      }
    }
    await load.stop();
    const verdict = await episode.finish();
    return toResult(
      [verdict],
      [
        { label: 'restarts', value: rounds * 2 },
        { label: 'restarts that the other served through', value: served, atLeast: rounds * 2 },
      ],
    );
  },
};
