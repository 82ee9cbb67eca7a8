// A database that version 0.1.0 wrote works after the upgrade: its credentials, money, secrets and answers.
// The tests run in this order on one database.

import { totpCode, totpStepAt } from '@counterfoil/identity/second-factor/totp';
import { createMetrics } from '@counterfoil/kit/observability/metrics';
import { readMigrations } from '@counterfoil/kit/postgres/migrate';
import { prepareDatabase } from '@counterfoil/kit/postgres/prepare-database';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import {
  type RecordedCall,
  readRecordedData,
  recordRows,
  restoreDatabase,
  sendRecorded,
} from '@counterfoil/kit/testing/recorded-data';
import { createAddressGuard } from '@counterfoil/webhooks/dispatcher/address-guard';
import { createSender } from '@counterfoil/webhooks/dispatcher/send-attempt';
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { migrationFolders } from '../../src/app.ts';
import { readWalletConfig } from '../../src/config.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { startWebhookDispatcher } from '../../src/webhooks/webhooks.ts';
import { type Given, givenWallet } from '../environment/given.ts';

interface Account {
  readonly id: number;
  readonly balance: number;
  readonly last_sequence: number;
}

const data = await readRecordedData(new URL('version-0.1.0.json', import.meta.url));
const publicUrl = 'https://wallet.example';
const packageId = 1;
const [head] = data.tables.ledger_heads as [{ sequence: number; hash: string }];
const local = { WEBHOOK_LOCAL_ADDRESSES: 'on' };

let given: Given;

beforeAll(async () => {
  const database = await restoreDatabase(inject('testServer'), data, migrationFolders);
  const { tables, sequences } = data;
  expect(await recordRows(database.url)).toEqual({ tables, sequences });
  const env = { ...local, MASTER_KEY: data.masterKey, WALLET_PUBLIC_URL: publicUrl };
  const db = await prepareDatabase({
    ...readWalletConfig({ ...env, WALLET_DATABASE_URL: database.url }),
    url: database.url,
    applicationName: 'upgrade',
    maxConnections: 1,
    migrations: await readMigrations(migrationFolders),
    logger: captureLog().logger,
  });
  await db.end();
  given = await givenWallet(env, {}, undefined, { database, now: new Date(Date.parse(data.at) + 60_000) });
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

const describeAccounts = (rows: readonly object[] = []) =>
  Object.fromEntries((rows as Account[]).map(({ id, ...row }) => [id, [row.balance, row.last_sequence]]));

async function readBalances(): Promise<object> {
  const { rows } = await given.db.query('select id::int, balance::int, last_sequence::int from accounts');
  return describeAccounts(rows);
}

it('the ledger has a clean proof, and the head and the balances of version 0.1.0', async () => {
  expect((await given.app.inject('/readyz')).statusCode).toBe(200);
  expect(await prove()).toEqual({ sequence: head.sequence, hash: head.hash });
  expect(await readBalances()).toEqual(describeAccounts(data.tables.accounts));
  const { rows } = await given.db.query('select sum(balance)::int as sum from accounts');
  expect(rows).toEqual([{ sum: 0 }]);
});

// The owner has the session cookie that version 0.1.0 issued. The last calls reveal sealed secrets.
it.each(data.reads)('$as gets the recorded answer: $request', async (call: RecordedCall) => {
  const { status, answer } = await sendRecorded(given.app, data, call);
  expect(answer).toMatchObject(call.answer);
  expect(status).toBe(call.status);
});

it('the owner signs in with the password and a second factor, or a recovery code', async () => {
  const { email, password, totpSecret, recoveryCodes } = data.person;
  const signIn = async (code: string) => {
    const headers = { origin: publicUrl };
    const payload = { email, password, code };
    return given.app.inject({ method: 'POST', url: '/panel/session', headers, payload });
  };
  const code = totpCode(Buffer.from(totpSecret, 'hex'), totpStepAt(given.clock.now));
  expect((await signIn(code)).statusCode).toBe(200);
  expect((await signIn(recoveryCodes[0] ?? '')).statusCode).toBe(200);
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
  expect(await readBalances()).toEqual(describeAccounts(data.tables.accounts));
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

it('an event that waited for its delivery arrives, signed with the secret of its endpoint', async () => {
  const receiver = await openReceiver();
  const sender = createSender(createAddressGuard({ allowLocal: true }));
  const { db, config, clock } = given;
  const { masterKey, webhooks: settings } = config;
  const { logger } = captureLog();
  const registry = createMetrics('wallet');
  const deps = { db, masterKey, settings, logger, registry, sender, now: () => clock.now };
  const endpoint = '/panel/packages/1/webhooks/1';
  const { answer } = await send('owner', `POST ${endpoint}/reveal`, { password: data.person.password });
  receiver.secret = answer.data.secret;
  expect((await send('owner', `PATCH ${endpoint}`, { url: receiver.url })).status).toBe(200);
  clock.now = new Date(clock.now.getTime() + 3_600_000);
  const dispatcher = startWebhookDispatcher({ ...deps, pauseMs: 20 });
  onTestFinished(async () => {
    await dispatcher?.stop();
    await sender.close();
    await receiver.close();
  });
  const waiting = data.tables.webhook_waiting as [{ event_id: string }];
  await expect.poll(() => receiver.taken.map(({ id }) => id)).toContain(waiting[0].event_id);
});
