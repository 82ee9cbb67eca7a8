// PostgreSQL is ended abruptly in several ways under load; the service stays up and reconnects.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../../checker/check-deadlines.ts';
import { startLoad } from '../../client/load.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { measureResourceUsage } from '../../environment/resource-usage.ts';
import { firstService } from '../../environment/test-environment.ts';
import { type Fault, toResult } from '../../fault.ts';

const ways = ['kill-all', 'kill-postmaster', 'immediate'] as const;

export const killPostgres: Fault = {
  name: 'kill-postgres',
  group: 'database',
  does: 'kill -9 of all PostgreSQL processes, kill -9 of the postmaster, and immediate shutdown, under load',
  run: async (environment) => {
    const rounds = environment.size(10, 1);
    const service = firstService(environment);
    const testRun = await environment.openTestRun();
    const before = await measureResourceUsage(environment.db, service.pid());
    const load = startLoad(testRun, environment.random);
    const recoveries: number[] = [];
    for (let i = 0; i < rounds * ways.length; i++) {
      await load.passes(environment.random.between(50, 400));
      await environment.postgres.crash(ways[i % ways.length] ?? 'immediate');
      await sleep(environment.random.between(0, 1500));
      await environment.postgres.restart();
      recoveries.push(await measureRecovery(testRun, service.url));
    }
    await load.stop();
    const { turnedAway } = testRun.settler.counts;
    const verdict = await testRun.finish();
    const after = await measureResourceUsage(environment.db, service.pid());
    const { violations, figures } = toResult(
      [verdict],
      [
        { label: 'kills', value: rounds * ways.length },
        { label: '503 answers', value: turnedAway, atLeast: 1 },
        ...describeRecovery('after the database accepts connections', recoveries),
      ],
    );
    return { figures, violations: [...violations, ...checkReturned(before, after)] };
  },
};
