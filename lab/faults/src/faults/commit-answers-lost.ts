// The database has committed, and the service never hears of it.
import { type CommitCount, type CommitFate, spoilCommits } from '../commit-passage.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { addServiceBehindProxy } from '../scene/database-proxy.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

export const commitAnswersLost: Fault = {
  name: 'commit-answers-lost',
  group: 'network',
  does: 'a proxy swallows the answers to commits alone, and closes the connection or leaves it hanging',
  scene: { services: 0 },
  run: async (scene) => {
    const count: CommitCount = { seen: 0, spoilt: 0 };
    const wanted = scene.size(200, 8);
    let isOn = false;
    const decide = (): CommitFate => {
      if (!isOn || count.spoilt >= wanted || scene.random.below(5) > 0) return 'pass';
      // One that hangs keeps its batch for seconds, so most are closed.
      return scene.random.below(8) === 0 ? 'hang' : 'close';
    };
    await addServiceBehindProxy(scene, spoilCommits(decide, count));
    const verdict = await underLoad(scene, async (_episode, load) => {
      isOn = true;
      while (count.spoilt < wanted) await seePasses(load, 20);
      isOn = false;
    });
    return toResult([verdict], [{ label: 'answers lost', value: count.spoilt, atLeast: wanted }]);
  },
};
