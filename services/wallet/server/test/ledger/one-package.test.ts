// With LEDGER_BATCH_SCOPE=package every statement of a call accesses the rows of one package only.
import { type Db, openDb } from '@counterfoil/kit/postgres/db';
import { findUnbound } from '@counterfoil/kit/postgres/distribution/one-shard';
import { recordSent } from '@counterfoil/kit/testing/intercept';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { walletDistribution } from '../../src/distribution.ts';
import { collectHotStatements } from '../../src/hot-statements.ts';
import { createProvider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owners: GivenPackage[];
let db: Db;

beforeAll(async () => {
  given = await givenWallet({ LEDGER_BATCH_SCOPE: 'package' });
  owners = [await given.package(), await given.package()];
  db = openDb({ url: given.config.databaseUrl, applicationName: 'one package test' });
  for (const owner of owners) await given.player(owner, { playerId: 'ann', balance: '50.00' });
});

afterAll(async () => {
  await db.end();
  await given.close();
});

async function play(owner: GivenPackage, id: string): Promise<void> {
  const provider = createProvider(given, owner);
  const { headers } = owner;
  const call = async (url: string, payload?: object) => {
    const method = payload ? 'POST' : 'GET';
    const answer = await given.app.inject({
      ...{ method, url: `/api/v1/${url}`, headers, ...(payload && { payload }) },
    });
    expect(answer.statusCode).toBe(200);
  };
  const credit = { player_id: 'ann', type: 'credit', amount: 5, transaction_id: id, note: 'hi' };
  await call('user/update_balance', credit);
  await call('user/update_balance', credit);
  await call('user/balance?player_id=ann');
  await call(`user/transaction?transaction_id=${id}`);
  const bet = { player_id: 'ann', round_id: id, game_id: 'g', transaction_id: `b-${id}` };
  const sent = [
    { action: 'bet', ...bet, amount: 1 },
    { action: 'win', ...bet, transaction_id: `w-${id}`, amount: 2, round_finished: true },
    { action: 'bet', ...bet, transaction_id: `c-${id}`, round_id: `${id}-2`, amount: 1 },
    { ...bet, action: 'rollback', transaction_id: `r-${id}`, reference_transaction_id: `c-${id}` },
  ];
  for (const body of sent) expect((await provider.send(body)).status).toBe(200);
}

/**
 * Statements that write logs and last uses of several packages together. They run in the background, so no
 * call waits for them.
 */
const behind = ['insert_callback_lines', 'insert_transfer_attempts', 'upsert_pair_uses'];
const aboutRows = /^\s*(?:select|insert|update|delete|with)\b/i;

it('during concurrent calls of two packages, each statement is bound to one package', async () => {
  const statements = await recordSent(() => Promise.all(owners.map((owner, i) => play(owner, `t${i}`))));
  const asked = statements.filter(({ name, text }) => aboutRows.test(text) && !behind.includes(name));
  const { tenantColumn, distributed } = walletDistribution;
  const spanning: string[] = [];
  for (const statement of asked) {
    const ways = owners.map(({ id: tenant }) =>
      findUnbound(db, statement, { tenantColumn, distributed, tenant }),
    );
    const found = await Promise.all(ways);
    if (found.every((breaches) => breaches.length > 0)) spanning.push(statement.name);
  }
  expect(spanning).toEqual([]);
  const names = new Set(asked.map(({ name }) => name));
  for (const name of ['check_package', 'move_head', 'select_player_balances']) {
    expect(names).toContain(name);
  }
});

it('`distribute --explain` checks all ledger statements that the service sends, except inserts', async () => {
  const statements = await recordSent(() => play(owners[0] as GivenPackage, 'again'));
  const known = new Set((await collectHotStatements(1)).map(({ name }) => name));
  const money = /ledger_heads|journal|accounts|bet_states|rounds/;
  const named = statements.filter(({ text }) => money.test(text) && !/^\s*insert/.test(text));
  expect([...new Set(named.map(({ name }) => name))].filter((name) => !known.has(name))).toEqual([]);
});
