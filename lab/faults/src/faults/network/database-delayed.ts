// A long way to the database: every message takes its time, in both directions.
import type { Fault } from '../../fault.ts';
import { toResult } from '../../figures.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';

export const databaseDelayed: Fault = {
  name: 'database-delayed',
  group: 'network',
  does: 'a proxy delays every message to and from the database, first by 20, then 100, then 300 ms',
  environment: { services: 0 },
  run: async (environment) => {
    const { proxy } = await addServiceBehindProxy(environment);
    const passes = environment.size(2000, 100);
    const verdict = await underLoad(environment, async (_testRun, load) => {
      for (const delayMs of [20, 100, 300]) {
        proxy.behave({ mode: 'pass', delayMs });
        await seePasses(load, passes);
      }
      proxy.behave({ mode: 'pass' });
    });
    return toResult([verdict]);
  },
};
