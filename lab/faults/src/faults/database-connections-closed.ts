// Every connection between service and database is reset, again and again, and refused for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { toResult } from '../figures.ts';
import { addServiceBehindProxy } from '../scene/database-proxy.ts';
import { describeRecovery, measureRecovery } from '../scene/recovery.ts';
import { seePasses, underLoad } from '../scene/under-load.ts';

export const databaseConnectionsClosed: Fault = {
  name: 'database-connections-closed',
  group: 'network',
  does: 'a proxy resets every connection to the database under load, and refuses new ones for 300 ms',
  scene: { services: 0 },
  run: async (scene) => {
    const times = scene.size(50, 4);
    const recoveries: number[] = [];
    let closed = 0;
    const { proxy, service } = await addServiceBehindProxy(scene);
    const verdict = await underLoad(scene, async (episode, load) => {
      for (let i = 0; i < times; i++) {
        await seePasses(load, scene.random.between(5, 40));
        proxy.behave({ mode: 'refuse' });
        closed += proxy.closeAll();
        await sleep(300);
        proxy.behave({ mode: 'pass' });
        recoveries.push(await measureRecovery(episode, service.url));
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
