// Tests the checker with a small wallet that has one bug at a time, which the checker must find.
import { fileURLToPath } from 'node:url';
import type { Verdict } from '../checker/check-test-run.ts';
import type { Invariant } from '../checker/violation.ts';
import { startLoad } from '../client/load.ts';
import type { Order } from '../client/order.ts';
import type { TestEnvironment } from '../environment/test-environment.ts';
import type { TestRun } from '../environment/test-run.ts';
import type { Fault, FaultResult } from '../fault.ts';

const naiveWallet = fileURLToPath(new URL('../planted/naive-wallet.js', import.meta.url));
const copies = 6;

/** Sends many concurrent and repeated orders to few players, so that bugs have an effect. */
async function storm(environment: TestEnvironment, testRun: TestRun, orders: number): Promise<void> {
  let next = 0;
  const stormer = async () => {
    for (let n = next++; n < orders; n = next++) {
      const order: Order = {
        packageId: testRun.id,
        player: environment.random.pick(testRun.players),
        id: `p${n}`,
        kind: environment.random.pick(['credit', 'debit']),
        amountMinor: BigInt(environment.random.between(1, 5000)),
      };
      await Promise.all(Array.from({ length: copies }, () => testRun.settler.settle(order)));
      await testRun.settler.readBalance(order);
    }
  };
  await Promise.all(Array.from({ length: 8 }, stormer));
}

function toCaught({ violations }: Verdict, wanted: Invariant): FaultResult {
  const caught = violations.filter(({ invariant }) => invariant === wanted).length;
  return {
    violations: [],
    figures: [
      { label: `violations of ${wanted} found`, value: caught, atLeast: 1 },
      { label: 'violations in total', value: violations.length },
    ],
  };
}

function plant(bug: string, wanted: Invariant, does: string, alter?: string): Fault {
  return {
    name: `planted-${bug}`,
    group: 'planted',
    does,
    environment: { service: { program: naiveWallet, env: { PLANTED: bug } } },
    run: async (environment) => {
      if (alter !== undefined) await environment.db.query(alter);
      const testRun = await environment.openTestRun({ players: 4, provesChain: false });
      await storm(environment, testRun, environment.size(600, 80));
      return toCaught(await testRun.finish(), wanted);
    },
  };
}

const control: Fault = {
  name: 'planted-nothing',
  group: 'planted',
  does: 'a small test wallet without a planted bug; the checker must find no violation',
  environment: { service: { program: naiveWallet, env: { PLANTED: 'nothing' } } },
  run: async (environment) => {
    const testRun = await environment.openTestRun({ players: 4, provesChain: false });
    await storm(environment, testRun, environment.size(600, 80));
    const { violations, tally } = await testRun.finish();
    return {
      violations,
      figures: [{ label: 'movements', value: tally.acknowledged, atLeast: 40 }],
    };
  },
};

const asynchronousCommit: Fault = {
  name: 'planted-asynchronous-commit',
  group: 'planted',
  does: 'the real service with synchronous_commit=off, and kill -9 of PostgreSQL',
  environment: {
    settings: { synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '1GB' },
    // In production mode, the service would refuse to start on a database with synchronous_commit=off.
    service: { env: { NODE_ENV: 'development' } },
  },
  run: async (environment) => {
    const testRun = await environment.openTestRun();
    // Flushes all earlier data to disk, so that only movements that are acknowledged later can be lost.
    await environment.db.query('checkpoint');
    const load = startLoad(testRun, environment.random);
    for (let i = 0; i < environment.size(5, 2); i++) {
      await load.passes(400);
      await environment.postgres.crash('kill-all');
      await environment.postgres.restart();
    }
    await load.stop();
    return toCaught(await testRun.finish(), 'I1');
  },
};

export const plantedBugs: readonly Fault[] = [
  control,
  asynchronousCommit,
  plant('race', 'I5', 'a balance that is read before the lock and written after it'),
  plant(
    'no-unique-key',
    'I1',
    'ids that are looked up before the lock, without a unique key',
    'alter table journal drop constraint journal_package_id_id_hash_key',
  ),
  plant('float', 'I1', 'amounts that are computed with floating-point numbers'),
  plant('wrong-way', 'I2', 'debits that are applied as credits, in books that add up'),
  plant('mean', 'I8', 'debits that are refused as insufficient_funds although there are funds'),
  plant('failing-reads', 'A', 'every third read of a balance is answered with a 500'),
];
