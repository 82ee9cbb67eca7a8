// Every flush takes 50 ms longer, as on a slow disk. One flush must serve many orders.

import { needs } from '../../environment/machine.ts';
import { inject } from '../../environment/strace.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const delayUs = 50_000;

export const flushSlow: Fault = {
  name: 'flush-slow',
  group: 'database',
  does: 'every fdatasync of every PostgreSQL process takes 50 ms longer',
  missing: needs({ programs: ['strace'], linux: true, root: true }),
  run: async (environment) => {
    const wanted = environment.size(5000, 200);
    let perSecond = 0;
    const verdict = await underLoad(environment, async (_testRun, load) => {
      const injection = await inject(
        await environment.postgres.listProcesses(),
        `fdatasync:delay_enter=${delayUs}`,
      );
      const startedAt = performance.now();
      await seePasses(load, wanted);
      perSecond = (wanted / (performance.now() - startedAt)) * 1000;
      await injection.stop();
    });
    return toResult(
      [verdict],
      [
        { label: 'orders acknowledged during the fault', value: Math.round(perSecond), unit: '/s' },
        { label: 'acknowledged per flush', value: Math.round(perSecond / 20), atLeast: 2 },
      ],
    );
  },
};
