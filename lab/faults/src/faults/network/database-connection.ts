// The connection between service and database is silent, slow or reset.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';

const silenceMs = 8000;
const giveUpMs = 3000;

export const databaseSilent: Fault = {
  name: 'database-silent',
  group: 'network',
  does: 'a proxy drops all bytes between service and database for 8 s, and closes no connection',
  environment: { services: 0 },
  run: async (environment) => {
    const times = environment.size(10, 1);
    const recoveries: number[] = [];
    const { proxy, service } = await addServiceBehindProxy(environment);
    const verdict = await underLoad(environment, async (testRun, load) => {
      for (let i = 0; i < times; i++) {
        await seePasses(load, environment.random.between(20, 80));
        proxy.behave({ mode: 'silent' });
        await sleep(silenceMs);
        proxy.behave({ mode: 'pass' });
        recoveries.push(await measureRecovery(testRun, service.url));
      }
    });
    // The limit is higher than for other faults, because a query on a dead connection fails only after its
    // timeout.
    const figures = describeRecovery('after packets pass again', recoveries);
    return toResult(
      [verdict],
      figures.map((each) => (each.atMost === undefined ? each : { ...each, atMost: giveUpMs })),
    );
  },
};

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

export const databaseConnectionsClosed: Fault = {
  name: 'database-connections-closed',
  group: 'network',
  does: 'a proxy resets every connection to the database under load, and refuses new connections for 300 ms',
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
        ...describeRecovery('after the database can be reached', recoveries),
      ],
    );
  },
};
