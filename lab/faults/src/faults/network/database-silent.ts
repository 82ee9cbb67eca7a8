// Packets between service and database are dropped without a word: nothing closes, nothing comes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../fault.ts';
import { toResult } from '../../figures.ts';
import { addServiceBehindProxy } from '../../proxy/database-proxy.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';

const silenceMs = 8000;
const giveUpMs = 3000;

export const databaseSilent: Fault = {
  name: 'database-silent',
  group: 'network',
  does: 'a proxy drops everything between service and database for 8 s, closing nothing',
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
    // What hangs on a dead connection is given up after its own time limit, not at once.
    const figures = describeRecovery('answers once packets pass again', recoveries);
    return toResult(
      [verdict],
      figures.map((each) => (each.atMost === undefined ? each : { ...each, atMost: giveUpMs })),
    );
  },
};
