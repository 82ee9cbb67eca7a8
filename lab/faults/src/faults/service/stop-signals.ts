// Stops the service or PostgreSQL with SIGSTOP for 15 s. Callers of a stopped service wait. If PostgreSQL is
// stopped, the service answers 503.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../../checker/check-deadlines.ts';
import { startLoad } from '../../client/load.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { measureResourceUsage } from '../../environment/resource-usage.ts';
import { firstService, type TestEnvironment } from '../../environment/test-environment.ts';
import { type Fault, type FaultResult, toResult } from '../../fault.ts';

async function runStopped(
  environment: TestEnvironment,
  stopped: { stop(): Promise<void>; go(): Promise<void>; excuses: boolean },
): Promise<FaultResult> {
  const service = firstService(environment);
  const testRun = await environment.openTestRun();
  const before = await measureResourceUsage(environment.db, service.pid());
  const load = startLoad(testRun, environment.random);
  await load.passes(300);
  const fromMs = performance.now();
  await stopped.stop();
  await sleep(environment.size(15_000, 5000));
  await stopped.go();
  // A stopped service cannot answer, so the time of the stop does not count towards the deadline of an
  // answer.
  if (stopped.excuses) testRun.log.excuse({ fromMs, toMs: performance.now() });
  const recovered = await measureRecovery(testRun, service.url);
  await load.passes(300);
  await load.stop();
  const { turnedAway } = testRun.settler.counts;
  const verdict = await testRun.finish();
  const after = await measureResourceUsage(environment.db, service.pid());
  const { violations, figures } = toResult(
    [verdict],
    [
      { label: '503 answers', value: turnedAway, ...(!stopped.excuses && { atLeast: 1 }) },
      ...describeRecovery('after SIGCONT', [recovered]),
    ],
  );
  return { figures, violations: [...violations, ...checkReturned(before, after)] };
}

export const stopService: Fault = {
  name: 'stop-service',
  group: 'service',
  does: 'SIGSTOP of the service for 15 s under load, then SIGCONT',
  run: (environment) => {
    const service = firstService(environment);
    return runStopped(environment, {
      stop: async () => service.signal('SIGSTOP'),
      go: async () => service.signal('SIGCONT'),
      excuses: true,
    });
  },
};

export const stopPostgres: Fault = {
  name: 'stop-postgres',
  group: 'database',
  does: 'SIGSTOP of every process of PostgreSQL for 15 s under load, then SIGCONT',
  run: (environment) =>
    runStopped(environment, {
      stop: () => environment.postgres.signalAll('SIGSTOP'),
      go: () => environment.postgres.signalAll('SIGCONT'),
      excuses: false,
    }),
};
