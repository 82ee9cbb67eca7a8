// kill -9 of the service under load, repeatedly and at random times.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../../checker/check-test-run.ts';
import { startLoad } from '../../client/load.ts';
import { describeBestRecovery, measureRecovery } from '../../environment/recovery.ts';
import type { Service } from '../../environment/service.ts';
import { firstService } from '../../environment/test-environment.ts';
import type { TestRun } from '../../environment/test-run.ts';
import { type Fault, toResult } from '../../fault.ts';

/** Kills the process and records its id, unless the process had already ended. */
async function kill(service: Service, dead: number[]): Promise<void> {
  const pid = service.pid();
  const wasRunning = service.isRunning();
  if ((await service.end('SIGKILL')) === null && wasRunning) dead.push(pid);
}

/** Starts the next process, and returns the time until its first acknowledged movement. */
async function restart(service: Service, testRun: TestRun): Promise<number> {
  const restartedAt = performance.now();
  await service.start();
  await measureRecovery(testRun, service.url);
  return performance.now() - restartedAt;
}

/** Number of kills after which the log is checked and a new log begins. */
const killsPerRun = 20;

export const killService: Fault = {
  name: 'kill-service',
  group: 'service',
  does: 'kill -9 of the service under load, at random moments, and a restart each time',
  run: async (environment) => {
    const kills = environment.size(200, 5);
    const verdicts: Verdict[] = [];
    const recoveries: number[] = [];
    const alone: number[] = [];
    const dead: number[] = [];
    const service = firstService(environment);
    for (let done = 0; done < kills; ) {
      const testRun = await environment.openTestRun();
      const load = startLoad(testRun, environment.random);
      for (let i = 0; i < killsPerRun && done < kills; i++, done++) {
        await load.passes(environment.random.between(20, 200));
        await sleep(environment.random.below(50));
        await kill(service, dead);
        recoveries.push(await restart(service, testRun));
      }
      await load.stop();
      for (let i = 0; done === kills && i < 3; i++) {
        await kill(service, []);
        alone.push(await restart(service, testRun));
      }
      verdicts.push(await testRun.finish());
      await testRun.close();
      environment.say(`${dead.length} of ${kills} kills`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: dead.length, atLeast: kills },
      ...describeBestRecovery('after a restart', { underLoad: recoveries, alone }),
    ]);
  },
};
