// Three answers in ten never reach the caller, who sends the same id again.

import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';
import { type LossCount, loseAnswers } from '../../proxy/interceptors.ts';
import { openTcpProxy } from '../../proxy/tcp-proxy.ts';

const share = 0.3;

export const clientAnswersLost: Fault = {
  name: 'client-answers-lost',
  group: 'network',
  does: 'a proxy between callers and service loses 30 % of the answers',
  environment: { services: 0 },
  run: async (environment) => {
    const service = await environment.addService();
    const count: LossCount = { answers: 0, lost: 0 };
    let isOn = false;
    const proxy = await openTcpProxy({
      target: { host: '127.0.0.1', port: service.port },
      interceptor: loseAnswers(() => (isOn ? share : 0), count),
    });
    environment.onClose(() => proxy.stop());
    environment.services.splice(0, 1, { ...service, url: `http://127.0.0.1:${proxy.port}` });
    const verdict = await underLoad(environment, async (_testRun, load) => {
      isOn = true;
      await seePasses(load, environment.size(20_000, 300));
      isOn = false;
    });
    const lostShare = Math.round((count.lost / Math.max(1, count.answers)) * 1000) / 10;
    return toResult(
      [verdict],
      [
        { label: 'answers lost', value: count.lost, atLeast: 20 },
        { label: 'lost share of all answers', value: lostShare, unit: '%' },
      ],
    );
  },
};
