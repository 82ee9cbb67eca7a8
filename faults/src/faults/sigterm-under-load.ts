// SIGTERM under load: every call under way is answered, then the process ends by itself with 0.
import { startLoad } from '../client/load.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { firstService } from '../scene/scene.ts';

export const sigtermUnderLoad: Fault = {
  name: 'sigterm-under-load',
  group: 'service',
  does: 'SIGTERM of the only process under load, and a restart each time',
  run: async (scene) => {
    const rounds = scene.size(20, 2);
    const service = firstService(scene);
    const episode = await scene.openEpisode();
    const load = startLoad(episode, scene.random);
    let uncleanEnds = 0;
    let slowestMs = 0;
    for (let i = 0; i < rounds; i++) {
      await load.passes(scene.random.between(50, 300));
      const askedAt = performance.now();
      if ((await service.end('SIGTERM')) !== 0) uncleanEnds++;
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
      await service.start();
    }
    await load.stop();
    const verdict = await episode.finish();
    return toResult(
      [verdict],
      [
        { label: 'restarts', value: rounds },
        { label: 'unclean ends', value: uncleanEnds, atMost: 0 },
        // What a connection carried when it closed may have arrived too late to be read.
        { label: 'outcomes left unknown by SIGTERM', value: verdict.tally.unknown },
        { label: 'slowest end', value: Math.round(slowestMs), unit: 'ms', atMost: 10_000 },
      ],
    );
  },
};
