// Every connection between service and database is reset, again and again, and refused for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../fault.ts';
import { toResult } from '../../figures.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';

export const databaseConnectionsClosed: Fault = {
  name: 'database-connections-closed',
  group: 'network',
  does: 'a proxy resets every connection to the database under load, and refuses new ones for 300 ms',
  environment: { services: 0 },
  run: async (environment) => {
    const times = environment.size(50, 4);
    const recoveries: number[] = [];
    let closed = 0;
    const { proxy, service } = await addServiceBehindProxy(environment);
    const verdict = await underLoad(environment, async (testRun, load) => {
      for (let i = 0; i < times; i++) {
        await seePasses(load, environment.random.between(5, 40));
        proxy.behave({ mode: 'refuse' });
        closed += proxy.closeAll();
        await sleep(300);
        proxy.behave({ mode: 'pass' });
        recoveries.push(await measureRecovery(testRun, service.url));
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'connections reset', value: closed, atLeast: times },
        ...describeRecovery('answers once the database can be reached', recoveries),
      ],
    );
  },
};
