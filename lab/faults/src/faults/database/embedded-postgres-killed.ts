// The processes of `npm start` are killed one after another; `npm start` recovers with its data.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '@counterfoil/kit/postgres/db';
import { type FullStack, prepareFullStack } from '../../environment/full-stack.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import { openTestRun } from '../../environment/test-run.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

const service = 'wallet service';

/**
 * The processes to kill, with patterns of their command lines. The supervisor is killed last and started
 * again.
 */
const victims: readonly [string, RegExp][] = [
  ['postmaster', /bin\/postgres -D/],
  ['a backend', /postgres: \S+ wallet .*(?:idle|INSERT|SELECT|BIND|with)/i],
  ['checkpointer', /postgres: checkpointer/],
  ['walwriter', /postgres: walwriter/],
  ['background writer', /postgres: background writer/],
  ['autovacuum launcher', /postgres: autovacuum launcher/],
  [service, /wallet\/server\/dist\/bundle\/main\.js/],
];

async function openInside(environment: TestEnvironment, fullStack: FullStack): Promise<TestEnvironment> {
  const databaseUrl = await fullStack.databaseUrl();
  const db = openDb({ url: databaseUrl, applicationName: 'faults', queryTimeoutMs: 120_000 });
  environment.onClose(() => db.end());
  const wallet = { url: fullStack.walletUrl } as TestEnvironment['services'][number];
  const masterKey = await fullStack.masterKey();
  const inside: TestEnvironment = {
    ...environment,
    db,
    databaseUrl: () => databaseUrl,
    masterKey,
    services: [wallet],
    openTestRun: async (wanted) => {
      const testRun = await openTestRun(inside, wanted);
      environment.onClose(() => testRun.close());
      return testRun;
    },
  };
  return inside;
}

async function waitForDatabase({ db }: TestEnvironment): Promise<void> {
  const acceptsConnections = () =>
    db.query('select 1').then(
      () => true,
      () => false,
    );
  for (const deadline = performance.now() + 60_000; !(await acceptsConnections()); await sleep(10)) {
    if (performance.now() > deadline) throw new Error('the database did not come back');
  }
}

export const embeddedPostgresKilled: Fault = {
  name: 'embedded-postgres-killed',
  group: 'database',
  does: 'kill -9 of each process of npm start: postmaster, backend, checkpointer, service, supervisor …',
  environment: { services: 0 },
  run: async (environment) => {
    const fullStack = await prepareFullStack();
    environment.onClose(() => fullStack.remove());
    await fullStack.start();
    const inside = await openInside(environment, fullStack);
    const back: { name: string; ms: number }[] = [];
    const recoveries: number[] = [];
    const verdict = await underLoad(inside, async (testRun, load) => {
      const killed = async (name: string) => {
        const startedAt = performance.now();
        await waitForDatabase(inside);
        const sinceDatabase = await measureRecovery(testRun, fullStack.walletUrl);
        if (name !== service) recoveries.push(sinceDatabase);
        back.push({ name, ms: Math.round(performance.now() - startedAt) });
        await seePasses(load, 20);
      };
      for (let round = 0; round < environment.size(5, 1); round++) {
        for (const [name, part] of victims) {
          process.kill(await fullStack.findProcess(part), 'SIGKILL');
          // Gives the postmaster time to notice that a process has ended.
          await sleep(200);
          await killed(name);
        }
        process.kill(fullStack.pid(), 'SIGKILL');
        await fullStack.waitForEnd();
        await fullStack.start();
        await killed('supervisor, with a new npm start');
      }
    });
    return toResult(
      [verdict],
      [
        {
          label: 'kills',
          value: back.length,
          atLeast: environment.size(5, 1) * (victims.length + 1),
        },
        ...victims.map(([name]) => ({
          label: `money moves after the kill of ${name}`,
          value: Math.max(...back.filter((each) => each.name === name).map(({ ms }) => ms)),
          unit: 'ms',
        })),
        ...describeRecovery('after the database accepts connections', recoveries),
      ],
    );
  },
};
