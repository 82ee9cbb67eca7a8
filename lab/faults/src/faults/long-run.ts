// Sends hundreds of thousands of movements to two wallet processes, while the processes and PostgreSQL are
// killed repeatedly.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '../checker/check-test-run.ts';
import { startLoad } from '../client/load.ts';
import type { TestEnvironment } from '../environment/test-environment.ts';
import { type Fault, toResult } from '../fault.ts';

/** The number of movements per package is limited, because the checker reads the whole log into memory. */
const perRun = 50_000;

async function strike(environment: TestEnvironment): Promise<void> {
  if (environment.random.below(3) === 0) {
    await environment.postgres.crash(environment.random.pick(['kill-all', 'kill-postmaster', 'immediate']));
    await sleep(environment.random.below(500));
    await environment.postgres.restart();
    return;
  }
  const service = environment.random.pick(environment.services);
  await service.end('SIGKILL');
  await service.start();
}

/**
 * Together with the other faults, a full run acknowledges more than a million movements. The number is high,
 * because some of the other faults last a fixed time and acknowledge fewer movements on a slow machine.
 */
export const longRun: Fault = {
  name: 'long-run',
  group: 'long',
  does: '450,000 acknowledged movements over two processes, while the processes and PostgreSQL are killed',
  environment: { services: 2, settings: { max_wal_size: '4GB' } },
  run: async (environment) => {
    const wanted = environment.size(450_000, 4000);
    const size = Math.min(perRun, environment.size(perRun, 2000));
    const verdicts: Verdict[] = [];
    let acknowledged = 0;
    let kills = 0;
    while (acknowledged < wanted) {
      const testRun = await environment.openTestRun({ players: 200 });
      const load = startLoad(testRun, environment.random, { callers: 96 });
      for (let part = 0; part < 2; part++) {
        await load.passes(Math.ceil(size / 2));
        await strike(environment);
        kills++;
      }
      await load.stop();
      const verdict = await testRun.finish();
      await testRun.close();
      verdicts.push(verdict);
      acknowledged += verdict.tally.acknowledged;
      environment.say(`${acknowledged.toLocaleString('en')} of ${wanted.toLocaleString('en')}`);
    }
    return toResult(verdicts, [
      { label: 'kills', value: kills },
      { label: 'movements required', value: wanted, atMost: acknowledged },
    ]);
  },
};
