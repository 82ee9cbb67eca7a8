// Connections to the database end in the middle of a message: of the write, or of its answer.
import { type CommitCount, type CommitFate, spoilCommits } from '../commit-passage.ts';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { addServiceBehindProxy } from '../scene/database-proxy.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

export const messagesCut: Fault = {
  name: 'messages-cut',
  group: 'network',
  does: 'a proxy cuts writes, or the answers to them, in the middle of a message',
  scene: { services: 0 },
  run: async (scene) => {
    const count: CommitCount = { seen: 0, spoilt: 0 };
    const wanted = scene.size(200, 10);
    let isOn = false;
    const decide = (): CommitFate => {
      if (!isOn || count.spoilt >= wanted || scene.random.below(5) > 0) return 'pass';
      return scene.random.pick(['cut_answer', 'cut_request'] as const);
    };
    await addServiceBehindProxy(scene, spoilCommits(decide, count));
    const verdict = await underLoad(scene, async (_episode, load) => {
      isOn = true;
      while (count.spoilt < wanted) await seePasses(load, 20);
      isOn = false;
    });
    return toResult([verdict], [{ label: 'messages cut', value: count.spoilt, atLeast: wanted }]);
  },
};
