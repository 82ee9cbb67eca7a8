// A batch contains rows that the database refuses: only their orders fail.
import { join } from 'node:path';
import { createPlayer } from '@counterfoil/wallet-server/players/create-player';
import { createClient } from '../../client/client.ts';
import { openClientLog } from '../../client/client-log.ts';
import type { Order } from '../../client/order.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import { presentHeaders, type TestRun } from '../../environment/test-run.ts';
import { seePasses, underLoad } from '../../environment/under-load.ts';
import { type Fault, toResult } from '../../fault.ts';

/** Constraints that the service does not know, so that the write statement itself fails. */
const listPoisons = (account: bigint) => [
  `alter table journal add constraint poison check (transaction_id not like 'poison-%') not valid`,
  `alter table journal add constraint poison check (amount <> 66613) not valid`,
  `alter table accounts add constraint poison check (id <> ${account} or balance = 0) not valid`,
];

const cure = (table: string) => `alter table ${table} drop constraint poison`;

/**
 * Sends orders that the database refuses. These orders must fail with 500, which the checker would report as
 * a violation. So these orders have a separate log, which the checker does not read.
 */
async function sendPoison(environment: TestEnvironment, testRun: TestRun, count: number): Promise<string[]> {
  const log = openClientLog(join(environment.folder, `poison-${testRun.id}-${performance.now()}`));
  const client = createClient({ log, headers: presentHeaders(testRun) });
  const url = environment.services[0]?.url ?? '';
  const codes: string[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const order: Order = {
        packageId: testRun.id,
        kind: 'credit',
        player: 'poisoned',
        id: `poison-${i}`,
        amountMinor: 66_613n,
      };
      const { outcome } = await client.send(url, order);
      codes.push(outcome.kind === 'turned_away' ? outcome.code : outcome.kind);
    }
  } finally {
    client.close();
    log.close();
  }
  return codes;
}

async function addPoisonedPlayer(environment: TestEnvironment, testRun: TestRun): Promise<bigint> {
  const wanted = { packageId: testRun.id, playerId: 'poisoned' };
  const { player } = await createPlayer(environment.db, wanted, new Date());
  return player.accountId;
}

export const poisonRows: Fault = {
  name: 'poison-rows',
  group: 'database',
  does: 'the database refuses single rows of a batch by constraints that the service does not know',
  run: async (environment) => {
    const each = environment.size(200, 10);
    const codes: string[] = [];
    let meanwhile = 0;
    const verdict = await underLoad(environment, async (testRun, load) => {
      const account = await addPoisonedPlayer(environment, testRun);
      const { counts } = testRun.settler;
      for (const poison of listPoisons(account)) {
        await environment.db.query(poison);
        const before = counts.acknowledged;
        codes.push(...(await sendPoison(environment, testRun, each)));
        await seePasses(load, 20);
        meanwhile += counts.acknowledged - before;
        await environment.db.query(cure(/alter table (\w+)/.exec(poison)?.[1] ?? ''));
      }
    });
    const refused = codes.filter((code) => code === 'internal_error').length;
    return toResult(
      [verdict],
      [
        { label: 'orders refused by a constraint', value: refused, atLeast: codes.length },
        { label: 'other orders acknowledged during the fault', value: meanwhile, atLeast: 60 },
      ],
    );
  },
};
