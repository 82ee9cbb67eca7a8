// Two processes are restarted one after the other under load, so that one of them always answers.
import { startLoad } from '../../client/load.ts';
import { type Fault, toResult } from '../../fault.ts';

export const rollingRestart: Fault = {
  name: 'rolling-restart',
  group: 'service',
  does: 'two processes replaced one after the other under load, by SIGTERM and by kill -9',
  environment: { services: 2 },
  run: async (environment) => {
    const rounds = environment.size(20, 2);
    const testRun = await environment.openTestRun();
    const load = startLoad(testRun, environment.random);
    let served = 0;
    for (let i = 0; i < rounds; i++) {
      for (const service of environment.services) {
        await load.passes(200);
        await service.end(i % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        const before = testRun.settler.counts.acknowledged;
        await service.start();
        if (testRun.settler.counts.acknowledged > before) served++;
      }
    }
    await load.stop();
    const verdict = await testRun.finish();
    return toResult(
      [verdict],
      [
        { label: 'restarts', value: rounds * 2 },
        {
          label: 'restarts during which the other process served',
          value: served,
          atLeast: rounds * 2,
        },
      ],
    );
  },
};
