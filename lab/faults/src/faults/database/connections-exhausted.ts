// Other clients use all database connections while the service needs new connections.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const holdMs = 5000;

/** Opens connections until the server refuses. */
async function takeAll(environment: TestEnvironment): Promise<pg.Client[]> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: environment.postgres.url('postgres') });
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
    } catch (error) {
      if ((error as { code?: unknown }).code === '53300') return taken;
      throw error;
    }
  }
}

const endServices = (environment: TestEnvironment) =>
  environment.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name like 'counterfoil%'`,
  );

export const connectionsExhausted: Fault = {
  name: 'connections-exhausted',
  group: 'database',
  does: 'other clients hold every database connection for 5 s, after the service has lost its connections',
  run: async (environment) => {
    const times = environment.size(5, 1);
    const recoveries: number[] = [];
    let held = 0;
    const [service] = environment.services;
    const verdict = await underLoad(environment, async (testRun, load) => {
      for (let i = 0; i < times; i++) {
        await seePasses(load, 50);
        const taken = await takeAll(environment);
        // The service reconnects immediately. So the loop terminates the service's connections repeatedly,
        // and occupies each free connection of the server at once.
        for (const endAt = performance.now() + holdMs; performance.now() < endAt; ) {
          await endServices(environment);
          taken.push(...(await takeAll(environment)));
          await sleep(100);
        }
        held = Math.max(held, taken.length);
        await Promise.all(taken.map((client) => client.end()));
        recoveries.push(await measureRecovery(testRun, service?.url ?? ''));
      }
    });
    return toResult(
      [verdict],
      [
        { label: 'connections held by other clients', value: held, atLeast: 40 },
        ...describeRecovery('after connections are free', recoveries),
      ],
    );
  },
};
