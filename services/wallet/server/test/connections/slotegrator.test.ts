// Slotegrator calls to the running service: signatures that are accepted once, refunds and rollbacks.
import { randomBytes } from 'node:crypto';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredLater } from '../../src/connections/delete-expired.ts';
import { signWalletRequest } from '../../src/connections/dialects/slotegrator/signature.ts';
import { createNonceStore } from '../../src/connections/nonces.ts';
import { deleteExpiredNonces } from '../../src/connections/store.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

const merchant = { merchantId: 'merchant', merchantKey: 'merchant-key' };
const secrets = { merchant_id: 'merchant', merchant_key: 'merchant-key' };

let given: Given;
let owner: GivenPackage;
let connection: GivenConnection;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '10000.00' });
  connection = await giveConnection(given, owner, { dialect: 'slotegrator', secrets });
});

afterAll(() => given.close());

let rounds = 0;

interface Sent {
  readonly nonce?: string;
  readonly secondsAgo?: number;
  readonly format?: 'form' | 'json';
  readonly by?: GivenConnection;
}

async function givenPlayer(balance = '100.00') {
  const player_id = await given.player(owner, { balance });
  const round_id = `round-${++rounds}`;
  const build = (fields: object, { nonce, secondsAgo = 0, format = 'form' }: Sent = {}) => {
    const timestamp = Math.floor(given.clock.now.getTime() / 1000) - secondsAgo;
    const base = { player_id, currency: 'EUR', game_uuid: 'dice', round_id };
    const stamp = { timestamp, nonce: nonce ?? randomBytes(16).toString('hex') };
    return signWalletRequest(merchant, { ...base, ...fields }, stamp, format);
  };
  const send = async (fields: object, sent: Sent = {}) => {
    const { status, body } = await (sent.by ?? connection).send(build(fields, sent));
    expect(status).toBe(200);
    return body as Record<string, unknown>;
  };
  const cash = async () => (await send({ action: 'balance' })).balance;
  const bet = (id: string, amount = '10.00') => ({ action: 'bet', transaction_id: id, amount });
  const refund = (id: string, of: string) => ({
    ...{ action: 'refund', transaction_id: id, bet_transaction_id: of, amount: '10.00' },
  });
  return { build, send, cash, bet, refund, id: (name: string) => `${round_id}-${name}` };
}

const stale = { error_code: 'INTERNAL_ERROR', error_description: 'request expired or repeated' };

describe('a signature', () => {
  it('a signature is accepted only once, even if the first request with it was refused', async () => {
    const { build, send, cash, bet, id } = await givenPlayer('5.00');
    const request = build(bet(id('b')));
    expect((await connection.send(request)).body).toMatchObject({ error_code: 'INSUFFICIENT_FUNDS' });
    await send({ action: 'win', transaction_id: id('w'), amount: '20.00' });
    expect((await connection.send(request)).body).toEqual(stale);
    expect(await cash()).toBe(25);
  });

  it('if 16 requests with the same signature arrive at the same time, one of them is accepted', async () => {
    const { build, bet, id, cash } = await givenPlayer();
    const request = build(bet(id('b')));
    const answers = await Promise.all(Array.from({ length: 16 }, () => connection.send(request)));
    expect(answers.filter(({ body }) => 'balance' in (body as object))).toHaveLength(1);
    expect(await cash()).toBe(90);
  });

  it('a signature is accepted if its nonce was used only in a different connection', async () => {
    const other = await giveConnection(given, owner, { dialect: 'slotegrator', secrets });
    const { send } = await givenPlayer();
    for (const by of [connection, other]) {
      expect(await send({ action: 'balance' }, { nonce: 'shared', by })).toMatchObject({ balance: 100 });
    }
  });

  it.each([
    [299, true],
    [301, false],
    [-299, true],
    [-301, false],
  ])(
    'a signature is accepted if its timestamp differs from the clock by at most 300 s: %i s',
    async (secondsAgo, isTimely) => {
      const { send } = await givenPlayer();
      const answer = await send({ action: 'balance' }, { secondsAgo });
      if (isTimely) expect(answer).toMatchObject({ balance: 100 });
      else expect(answer).toEqual(stale);
    },
  );

  it.each(['form', 'json'] as const)('a signature is valid for parameters sent as %s', async (format) => {
    const { send } = await givenPlayer();
    expect(await send({ action: 'balance' }, { format })).toEqual({ balance: 100 });
  });
});

describe('nonces', () => {
  it('nonces are accepted once by all processes together, and are deleted after ten minutes', async () => {
    const open = () => createNonceStore({ db: given.db, now: () => given.clock.now });
    const processes = [open(), open()];
    const key = { packageId: owner.id, id: 'con_x' };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => processes[i % 2]?.accept(key, `n-${i % 5}`)),
    );
    expect(answers.filter(Boolean)).toHaveLength(5);
    const restarted = open();
    expect(await restarted.accept(key, 'n-1')).toBe(false);
    const after = (seconds: number) => new Date(given.clock.now.getTime() + seconds * 1000);
    const { logger } = captureLog('wallet');
    const runExpiry = async (now: Date) => {
      const loop = deleteExpiredLater({ db: given.db, logger, now: () => now });
      await loop.now();
      await loop.stop();
    };
    await runExpiry(after(600));
    expect(await restarted.accept(key, 'n-1')).toBe(false);
    await runExpiry(after(601));
    expect(await restarted.accept(key, 'n-1')).toBe(true);
  });

  it('the deletion of expired nonces is limited to one package and to the given number', async () => {
    const other = await given.package();
    const store = createNonceStore({ db: given.db, now: () => given.clock.now });
    for (const nonce of ['a', 'b', 'c']) {
      for (const { id } of [owner, other]) await store.accept({ packageId: id, id: 'con_limit' }, nonce);
    }
    const now = new Date(given.clock.now.getTime() + 601_000);
    const count = async ({ id }: GivenPackage) => {
      const query = `select nonce from provider_nonces where package_id = $1 and connection_id = 'con_limit'`;
      return (await given.db.query(query, [id])).rows.length;
    };
    expect(await deleteExpiredNonces(given.db, { packageId: other.id, now, limit: 2 })).toBe(2);
    expect([await count(owner), await count(other)]).toEqual([3, 1]);
  });
});

describe('a refund', () => {
  it('a refund returns a bet once: a second refund with a new id succeeds and moves nothing', async () => {
    const { send, cash, bet, refund, id } = await givenPlayer();
    await send(bet(id('b')));
    const first = await send(refund(id('r1'), id('b')));
    expect(first).toMatchObject({ balance: 100 });
    const second = await send(refund(id('r2'), id('b')));
    expect(second).toMatchObject({ balance: 100, transaction_id: expect.any(String) });
    expect(second.transaction_id).not.toBe(first.transaction_id);
    expect(await send(refund(id('r1'), id('b')))).toEqual(first);
    expect(await send(refund(id('r2'), id('b')))).toEqual(second);
    expect(await cash()).toBe(100);
  });

  it('a refund of an unknown bet succeeds with the balance, and the bet is refused later', async () => {
    const { send, cash, bet, refund, id } = await givenPlayer();
    expect(await send(refund(id('r'), id('b')))).toMatchObject({ balance: 100 });
    expect(await send(bet(id('b')))).toMatchObject({ error_code: 'INTERNAL_ERROR' });
    expect(await cash()).toBe(100);
  });

  it('a refund with a used id but a different bet is refused', async () => {
    const { send, cash, bet, refund, id } = await givenPlayer();
    for (const name of ['b', 'c']) await send(bet(id(name)));
    await send(refund(id('r'), id('b')));
    expect(await send(refund(id('r'), id('c')))).toMatchObject({ error_code: 'INTERNAL_ERROR' });
    expect(await cash()).toBe(90);
  });
});

it('a rollback undoes the listed bets and wins once, and the answer names them', async () => {
  const { send, cash, bet, id } = await givenPlayer();
  await send(bet(id('b')));
  await send({ action: 'win', transaction_id: id('w'), amount: '30.00', type: 'jackpot' });
  const rollback = {
    action: 'rollback',
    transaction_id: id('r'),
    rollback_transactions: [
      { action: 'bet', transaction_id: id('b'), amount: '10.00' },
      { action: 'win', transaction_id: id('w'), amount: '30.00' },
    ],
  };
  const first = await send(rollback);
  expect(first).toMatchObject({ balance: 100, rollback_transactions: [id('b'), id('w')] });
  expect(await send(rollback)).toEqual(first);
  expect(await cash()).toBe(100);
});

describe('the transaction_id of a rollback', () => {
  const entry = (action: string, id: string, amount: string) => ({ action, transaction_id: id, amount });

  it.each([
    ['a different transaction', ['c']],
    ['a further transaction', ['b', 'w', 'c']],
    ['fewer transactions', ['b']],
    ['no transaction of the first list', ['c', 'd']],
  ])('a rollback with a used id and %s is refused, and nothing moves', async (_case, names) => {
    const { send, cash, bet, id } = await givenPlayer();
    for (const name of ['b', 'c', 'd']) await send(bet(id(name)));
    await send({ action: 'win', transaction_id: id('w'), amount: '30.00' });
    const entries: Record<string, object> = {
      b: entry('bet', id('b'), '10.00'),
      c: entry('bet', id('c'), '10.00'),
      d: entry('bet', id('d'), '10.00'),
      w: entry('win', id('w'), '30.00'),
    };
    const rollback = (list: string[]) =>
      send({
        action: 'rollback',
        transaction_id: id('r'),
        rollback_transactions: list.map((name) => entries[name]),
      });
    const first = await rollback(['b', 'w']);
    expect(first).toMatchObject({ balance: 80 });
    expect(await rollback(names)).toEqual({
      error_code: 'INTERNAL_ERROR',
      error_description: 'transaction_id was used for another transaction: transactions',
    });
    expect(await cash()).toBe(80);
    expect(await rollback(['w', 'b'])).toMatchObject({ balance: 80, transaction_id: first.transaction_id });
  });
});

it('a refund that names a win is refused, and nothing moves', async () => {
  const { send, cash, bet, refund, id } = await givenPlayer();
  await send(bet(id('b')));
  await send({ action: 'win', transaction_id: id('w'), amount: '30.00' });
  expect(await send(refund(id('r'), id('w')))).toEqual({
    error_code: 'INTERNAL_ERROR',
    error_description: 'transaction cannot be refunded or rolled back',
  });
  expect(await cash()).toBe(120);
});

it('a repeat gets the transaction_id and the balance of the first answer', async () => {
  const { send, bet, id } = await givenPlayer();
  const first = await send(bet(id('b')));
  await send(bet(id('c')));
  expect(await send(bet(id('b')))).toEqual(first);
});
