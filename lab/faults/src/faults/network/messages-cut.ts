// Connections to the database end in the middle of a message: of the write, or of its answer.
import { type CommitCount, type CommitOutcome, spoilCommits } from '../../proxy/commit-interceptor.ts';
import type { Fault } from '../../fault.ts';
import { toResult } from '../../figures.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';

export const messagesCut: Fault = {
  name: 'messages-cut',
  group: 'network',
  does: 'a proxy cuts writes, or the answers to them, in the middle of a message',
  environment: { services: 0 },
  run: async (environment) => {
    const count: CommitCount = { seen: 0, spoilt: 0 };
    const wanted = environment.size(200, 10);
    let isOn = false;
    const decide = (): CommitOutcome => {
      if (!isOn || count.spoilt >= wanted || environment.random.below(5) > 0) return 'pass';
      return environment.random.pick(['cut_answer', 'cut_request'] as const);
    };
    await addServiceBehindProxy(environment, spoilCommits(decide, count));
    const verdict = await underLoad(environment, async (_testRun, load) => {
      isOn = true;
      while (count.spoilt < wanted) await seePasses(load, 20);
      isOn = false;
    });
    return toResult([verdict], [{ label: 'messages cut', value: count.spoilt, atLeast: wanted }]);
  },
};
