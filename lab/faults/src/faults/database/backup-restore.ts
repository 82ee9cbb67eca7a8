// The database loses its disk. A backup and the WAL archive restore it, and callers repeat the lost orders.

import { checkNothingUnsent } from '../../checker/check-acknowledged.ts';
import { checkBooks } from '../../checker/check-books.ts';
import type { Verdict } from '../../checker/check-test-run.ts';
import { readFacts } from '../../checker/facts.ts';
import { fits, groupRows } from '../../checker/match.ts';
import { type Violation, violation } from '../../checker/violation.ts';
import { type Call, readHistory } from '../../client/client-log.ts';
import { startLoad } from '../../client/load.ts';
import { keyOf, type Order } from '../../client/order.ts';
import { startArchive } from '../../environment/archive.ts';
import { describeRecovery, measureRecovery } from '../../environment/recovery.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { TestRun } from '../../environment/test-run.ts';
import { seePasses } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';
import type { Random } from '../../random.ts';

const fundsMinor = 10_000_000_00n;

/** Makes a movement that succeeds at any place in the sequence, because every player has enough money. */
function makeStory(testRun: TestRun, random: Random, n: number): Order[] {
  const kind = random.below(3) === 0 ? 'debit' : 'credit';
  const player = random.pick(testRun.players);
  const amountMinor = BigInt(random.between(1, 2000));
  return [{ packageId: testRun.id, kind, player, id: `m${n}`, amountMinor }];
}

async function move(environment: TestEnvironment, passes: number, given?: TestRun): Promise<TestRun> {
  const testRun = given ?? (await environment.openTestRun({ fundsMinor }));
  const load = startLoad(testRun, environment.random, { makeStory, callers: 24 });
  await seePasses(load, passes);
  await load.stop();
  return testRun;
}

const isAcknowledged = ({ attempts }: Call) =>
  attempts.some(({ answer }) => answer?.outcome.kind === 'acknowledged');

/**
 * Repeats every acknowledged order except top-ups, as callers could from their own records. Counts the orders
 * that are then applied as new, because the restore lost them.
 */
async function repeatAll(environment: TestEnvironment, testRun: TestRun): Promise<{ appliedAgain: number }> {
  const { calls } = await readHistory(testRun.log.path);
  const url = environment.services[0]?.url ?? '';
  let appliedAgain = 0;
  for (const { order } of calls.filter(isAcknowledged)) {
    if (order.kind === 'top_up') continue;
    const { outcome } = await testRun.client.send(url, order);
    if (outcome.kind === 'acknowledged' && !outcome.duplicate) appliedAgain++;
  }
  return { appliedAgain };
}

/**
 * Checks the amounts, and that the ledger is consistent. The balances in answers are not checked, because the
 * callers repeat the orders in another sequence, which gives other balances.
 */
async function checkRepeated(environment: TestEnvironment, testRun: TestRun): Promise<Violation[]> {
  const { calls } = await readHistory(testRun.log.path);
  const facts = await readFacts(environment.db, testRun.id);
  const rows = groupRows(facts);
  const lost = calls.filter(isAcknowledged).filter(({ order }) => {
    const found = rows.get(keyOf(order)) ?? [];
    return found.length !== 1 || !found.some((row) => fits(facts, row, order));
  });
  return [
    ...lost.map(({ order }) => violation('I1', `${keyOf(order)} is not stored exactly once`)),
    ...checkNothingUnsent(calls, facts),
    ...checkBooks(facts),
  ].slice(0, 20);
}

export const backupRestore: Fault = {
  name: 'backup-restore',
  group: 'database',
  does: 'the data folder is deleted, and restored from base backup and archived WAL; callers repeat ids',
  environment: { settings: { archive_mode: 'on' } },
  run: async (environment) => {
    const passes = environment.size(5000, 150);
    const [service] = environment.services;
    const archive = await startArchive(environment);
    const before = await move(environment, passes);
    const backup = await archive.backUp();
    const archived = await move(environment, passes);
    const lost = await environment.openTestRun({ fundsMinor });
    await archive.catchUp();
    await move(environment, passes, lost);
    await service?.end('SIGTERM');
    await environment.postgres.crash('kill-all');
    await archive.restore(backup);
    await environment.postgres.restart();
    await service?.start();
    const recoveries = [await measureRecovery(before, service?.url ?? '')];
    const verdicts: Verdict[] = [await before.finish(), await archived.finish()];
    const { appliedAgain } = await repeatAll(environment, lost);
    const result = toResult(verdicts, [
      { label: 'lost orders that were applied again', value: appliedAgain, atLeast: 1 },
      ...describeRecovery('after the database is restored', recoveries),
    ]);
    const violations = [...result.violations, ...(await checkRepeated(environment, lost))];
    return { ...result, violations };
  },
};
