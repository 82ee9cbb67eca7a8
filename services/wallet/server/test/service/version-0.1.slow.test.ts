// A database that version 0.1.0 wrote works after the upgrade: its credentials, money, secrets and answers.

import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import {
  type RecordedCall,
  readRecordedData,
  restoreDatabase,
  sendRecorded,
} from '@counterfoil/kit/testing/recorded-data';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrationFolders } from '../../src/app.ts';
import { readWalletConfig } from '../../src/config.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { type Given, givenWallet } from '../environment/given.ts';

const data = await readRecordedData(new URL('version-0.1.0.json', import.meta.url));
const publicUrl = 'https://wallet.example';
const packageId = 1;
const [head] = data.tables.ledger_heads as [{ sequence: number; hash: string }];

let given: Given;

beforeAll(async () => {
  const database = await restoreDatabase(inject('testServer'), data, migrationFolders);
  const env = { MASTER_KEY: data.masterKey, WALLET_PUBLIC_URL: publicUrl };
  const db = await prepareDatabase({
    ...readWalletConfig({ ...env, WALLET_DATABASE_URL: database.url }),
    url: database.url,
    applicationName: 'upgrade',
    maxConnections: 1,
    migrations: await readMigrations(migrationFolders),
    logger: captureLog().logger,
  });
  await db.end();
  given = await givenWallet(env, {}, undefined, { database, now: new Date(data.at) });
});

afterAll(() => given?.close());

const send = (as: string, request: string, body?: object) =>
  sendRecorded(given.app, data, { as, request, ...(body && { body }) });

const move = (body: object) => send('caller', 'POST /api/v1/user/update_balance', body);
const callBack = (body: object) => send('provider', 'POST /api/v1/game/callback', body);

async function prove(): Promise<{ sequence: number; hash: string }> {
  const proof = await verifyLedger(given.db, packageId);
  expect(proof.flaws).toEqual([]);
  return { sequence: Number(proof.headSequence), hash: `\\x${proof.headHash}` };
}

async function readBalances(): Promise<object[]> {
  const { rows } = await given.db.query(
    'select id::int, balance::int, last_sequence::int from accounts where package_id = $1 order by id',
    [packageId],
  );
  return rows;
}

const accounts = () =>
  data.tables.accounts?.map((row) => {
    const { id, balance, last_sequence } = row as Record<string, unknown>;
    return { id, balance, last_sequence };
  });

it('the service is ready, and the ledger has a clean proof with the balances and the head of 0.1.0', async () => {
  expect((await given.app.inject('/readyz')).statusCode).toBe(200);
  expect(await prove()).toEqual({ sequence: head.sequence, hash: head.hash });
  expect(await readBalances()).toEqual(accounts());
  const { rows } = await given.db.query('select sum(balance)::int as sum from accounts');
  expect(rows).toEqual([{ sum: 0 }]);
});

// The calls of the owner have the session cookie that version 0.1.0 issued. The last reads reveal sealed secrets.
it.each(data.reads)('$as gets the recorded answer: $request', async (call: RecordedCall) => {
  const { status, answer } = await sendRecorded(given.app, data, call);
  expect(answer).toMatchObject(call.answer);
  expect(status).toBe(call.status);
});

it('the owner signs in with the password', async () => {
  const { statusCode } = await given.app.inject({
    method: 'POST',
    url: '/panel/session',
    headers: { origin: publicUrl },
    payload: data.person,
  });
  expect(statusCode).toBe(200);
});

it('repeated movements and final refusals get their first answers again and move nothing', async () => {
  for (const call of data.writes ?? []) {
    const { status, answer } = await sendRecorded(given.app, data, call);
    expect([call.request, status]).toEqual([call.request, call.status]);
    const { package_balance: _, data: first, balance, ...rest } = call.answer;
    expect(answer).toMatchObject(rest);
    // A refusal that is not stored is decided again, and contains the present balance.
    if (!('duplicate' in (first as object))) continue;
    expect(answer).toMatchObject({ data: { ...(first as object), duplicate: true } });
    expect(answer.balance).toBe(balance);
  }
  const changed = { player_id: 'ann', type: 'credit', amount: '1.00', transaction_id: 'credit-1' };
  expect(await move(changed)).toMatchObject({ status: 409, answer: { code: 'transaction_conflict' } });
  expect(await prove()).toEqual({ sequence: head.sequence, hash: head.hash });
  expect(await readBalances()).toEqual(accounts());
});

it('new movements continue the journal: transfers, a win, a rollback and a void bet of 0.1.0', async () => {
  const player = { player_id: 'ann', currency: 'EUR', game_id: 'tides' };
  const settle = { ...player, action: 'win', round_id: 'round-4', transaction_id: 'win-4', amount: 3 };
  const bet = { reference_transaction_id: 'bet-7', round_id: 'round-7', transaction_id: 'rollback-7' };
  const late = { ...player, action: 'bet', round_id: 'round-3', transaction_id: 'bet-3', amount: 1 };
  const credit = { player_id: 'bob', type: 'credit', amount: '5.00', transaction_id: 'credit-8' };
  expect(await move(credit)).toMatchObject({ status: 200, answer: { data: { balance: 25.5 } } });
  const won = await callBack({ ...settle, reference_transaction_id: 'bet-4', round_finished: true });
  expect(won).toMatchObject({ status: 200, answer: { balance: 93.56 } });
  const undone = await callBack({ ...player, ...bet, action: 'rollback' });
  expect(undone).toMatchObject({ status: 200, answer: { balance: 94.06, data: { result: 'rolled_back' } } });
  expect(await callBack(late)).toMatchObject({ status: 409, answer: { code: 'bet_rolled_back' } });
  const { answer } = await send('caller', `GET /api/v1/feed?after=${head.sequence}`);
  const movements = answer.data.movements as { sequence: number; transaction_id: string }[];
  expect(movements.map(({ sequence, transaction_id: id }) => [sequence - head.sequence, id])).toEqual([
    [1, 'credit-8'],
    [2, 'win-4'],
    [3, 'rollback-7'],
  ]);
  expect((await prove()).sequence).toBe(head.sequence + 3);
  const round = await send('caller', 'GET /api/v1/round?round_id=round-4');
  expect(round.answer.data).toMatchObject({ state: 'closed', bet_total: 0.75, win_total: 3 });
});

it('a new player gets an account that no player of 0.1.0 has', async () => {
  const made = await send('caller', 'POST /api/v1/user/create', { player_id: 'cid' });
  expect(made).toMatchObject({ status: 201, answer: { data: { balance: 0, created: true } } });
  const credit = { player_id: 'cid', type: 'credit', amount: '1.00', transaction_id: 'credit-9' };
  expect(await move(credit)).toMatchObject({ status: 200, answer: { data: { balance: 1 } } });
  await prove();
});
