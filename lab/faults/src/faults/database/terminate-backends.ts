// The server terminates the service's backends one after another under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReturned } from '../../checker/check-deadlines.ts';
import { startLoad } from '../../client/load.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import { measureResourceUsage } from '../../environment/resource-usage.ts';
import { firstService } from '../../environment/test-environment.ts';
import { type Fault, toResult } from '../../fault.ts';

export const terminateBackends: Fault = {
  name: 'terminate-backends',
  group: 'database',
  does: 'pg_terminate_backend of 200 sessions of the service, one after the other, under load',
  run: async (environment) => {
    const wanted = environment.size(200, 20);
    const service = firstService(environment);
    const testRun = await environment.openTestRun();
    const before = await measureResourceUsage(environment.db, service.pid());
    const load = startLoad(testRun, environment.random);
    const recoveries: number[] = [];
    let terminated = 0;
    while (terminated < wanted) {
      await sleep(environment.random.below(60));
      // Prefers a busy backend. No caller waits for an idle backend, so terminating an idle backend would
      // test little.
      const { rowCount } = await environment.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'counterfoil %' and datname = current_database()
         order by state = 'active' desc, random() limit 1`,
      );
      terminated += rowCount ?? 0;
      if (terminated % 10 === 0) recoveries.push(await measureRecovery(testRun, service.url));
    }
    await load.stop();
    const verdict = await testRun.finish();
    const after = await measureResourceUsage(environment.db, service.pid());
    const { violations, figures } = toResult(
      [verdict],
      [
        { label: 'backends terminated', value: terminated, atLeast: wanted },
        ...describeRecovery('after a lost session', recoveries),
      ],
    );
    return { figures, violations: [...violations, ...checkReturned(before, after)] };
  },
};
