// The service has little memory. It may run out of memory and restart, but no acknowledged order is lost.

import { needs } from '../../environment/machine.ts';
import type { Service } from '../../environment/service.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const dataMiB = 320;
const heapMiB = 72;

/** Starts the service again when it ends, like a supervisor. */
function supervise(service: Service): { readonly deaths: () => number; stop(): void } {
  let deaths = 0;
  let stopped = false;
  const watch = () =>
    void service.ended().then(async () => {
      if (stopped) return;
      deaths++;
      await service.start().catch(() => {});
      watch();
    });
  watch();
  return {
    deaths: () => deaths,
    stop: () => {
      stopped = true;
    },
  };
}

export const littleMemory: Fault = {
  name: 'little-memory',
  group: 'limits',
  does: 'the service has 72 MiB of heap and 320 MiB in all under a load of 128 callers',
  environment: { services: 0 },
  missing: needs({ programs: ['prlimit'], linux: true }),
  run: async (environment) => {
    const service = await environment.addService({
      wrapper: ['prlimit', `--data=${dataMiB * 1024 * 1024}`],
      nodeFlags: [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=8'],
    });
    const supervisor = supervise(service);
    environment.onClose(() => supervisor.stop());
    const verdict = await underLoad(
      environment,
      (_testRun, load) => seePasses(load, environment.size(50_000, 500)),
      { load: { callers: 128 }, testRun: { players: 64 } },
    );
    supervisor.stop();
    return toResult([verdict], [{ label: 'deaths of the service', value: supervisor.deaths() }]);
  },
};
