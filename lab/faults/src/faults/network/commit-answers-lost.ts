// Answers to commits are lost between the database and the service, or writes and the answers to them are
// cut.

import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';
import { type CommitCount, type CommitOutcome, spoilCommits } from '../../proxy/interceptors.ts';

export const commitAnswersLost: Fault = {
  name: 'commit-answers-lost',
  group: 'network',
  does: 'a proxy drops only the answers to commits, and closes the connection or leaves it open',
  environment: { services: 0 },
  run: async (environment) => {
    const count: CommitCount = { seen: 0, spoilt: 0 };
    const wanted = environment.size(200, 8);
    let isOn = false;
    const decide = (): CommitOutcome => {
      if (!isOn || count.spoilt >= wanted || environment.random.below(5) > 0) return 'pass';
      // A connection that hangs blocks its batch for seconds, which makes the test slow. So most connections
      // are closed instead.
      return environment.random.below(8) === 0 ? 'hang' : 'close';
    };
    await addServiceBehindProxy(environment, spoilCommits(decide, count));
    const verdict = await underLoad(environment, async (_testRun, load) => {
      isOn = true;
      while (count.spoilt < wanted) await seePasses(load, 20);
      isOn = false;
    });
    return toResult([verdict], [{ label: 'answers lost', value: count.spoilt, atLeast: wanted }]);
  },
};

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
