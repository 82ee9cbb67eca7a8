// POST /api/v1/user/update_balance: exact amounts, one effect per transaction id, and refusals.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;
let counter = 0;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '100000.00' });
});

afterAll(() => given.close());

const nextId = () => `tx-${++counter}`;

const post = (payload: unknown, of: GivenPackage = owner, headers: Record<string, string> = {}) =>
  given.app.inject({
    method: 'POST',
    url: '/api/v1/user/update_balance',
    headers: { 'content-type': 'application/json', ...of.headers, ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

const update = (player: string, type: 'credit' | 'debit', amount: unknown, id = nextId(), note?: unknown) =>
  post({
    player_id: player,
    type,
    amount,
    transaction_id: id,
    ...(note !== undefined && { note }),
  });

const balanceOf = async (player: string, of: GivenPackage = owner) =>
  (await given.app.inject({ url: `/api/v1/user/balance?player_id=${player}`, headers: of.headers })).json();

const withoutId = (body: string) => body.replace(/"request_id":"[^"]*"/, '');

describe('a successful update', () => {
  it('the answer has exactly the contract’s fields; the package credit changes by the amount', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const before = (await balanceOf(player)).package_balance;
    const answer = await update(player, 'credit', 19.99, 'letter', 'for Zoë');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'success',
      data: {
        player_id: player,
        transaction_id: 'letter',
        type: 'credit',
        amount: 19.99,
        balance_before: 10,
        balance: 29.99,
        currency: 'EUR',
        note: 'for Zoë',
        duplicate: false,
        created_at: given.clock.now.toISOString(),
      },
      package_balance: Math.round((before - 19.99) * 100) / 100,
      credit_alert: null,
      request_id: answer.headers['x-request-id'],
    });
    const debit = await update(player, 'debit', '29.99');
    expect(debit.json()).toMatchObject({
      data: { balance_before: 29.99, balance: 0 },
      package_balance: before + 10,
    });
  });

  it.each([0.07, 0.29, 4.35, 19.99, '0.07', 1e2, '007.00'])('the amount %j is exact', async (amount) => {
    const player = await given.player(owner);
    const answer = await update(player, 'credit', amount);
    expect(answer.json().data.balance).toBe(Number(amount));
  });

  it('an update of 0.1, sent 1,000 times, adds up to exactly 100.00', async () => {
    const player = await given.player(owner);
    await Promise.all(Array.from({ length: 1000 }, () => update(player, 'credit', 0.1)));
    expect((await balanceOf(player)).data.balance).toBe(100);
  });

  it('an update is possible for a blocked player, because a block stops only bets and launches', async () => {
    const player = await given.player(owner, { status: 'blocked' });
    expect((await update(player, 'credit', 1)).statusCode).toBe(200);
  });
});

describe('a transaction id that is sent again', () => {
  it('a repeat with the same content gets the first answer as a duplicate, and moves no money', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const first = await update(player, 'debit', 2, 'again');
    await update(player, 'credit', 50);
    for (const amount of [2, '2', '2.00']) {
      const repeat = await update(player, 'debit', amount, 'again');
      expect(repeat.statusCode).toBe(200);
      expect(repeat.json().data).toEqual({ ...first.json().data, duplicate: true });
    }
    const empty = await post({
      player_id: player,
      type: 'debit',
      amount: 2,
      transaction_id: 'again',
      note: null,
    });
    expect(empty.json().data.duplicate).toBe(true);
    expect((await balanceOf(player)).data.balance).toBe(53);
  });

  it('a repeat with different content gets 409, the error names the field, and no money moves', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const other = await given.player(owner, { balance: '5.00' });
    await update(player, 'credit', 1, 'content', 'n');
    const cases = [
      ['player_id', () => update(other, 'credit', 1, 'content', 'n')],
      ['type', () => update(player, 'debit', 1, 'content', 'n')],
      ['amount', () => update(player, 'credit', 1.01, 'content', 'n')],
      ['note', () => update(player, 'credit', 1, 'content', 'm')],
      ['note', () => update(player, 'credit', 1, 'content')],
    ] as const;
    for (const [field, send] of cases) {
      const answer = await send();
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({
        code: 'transaction_conflict',
        retryable: false,
        errors: { [field]: [expect.any(String)] },
        package_balance: expect.any(Number),
      });
    }
    expect((await balanceOf(player)).data.balance).toBe(6);
    expect((await balanceOf(other)).data.balance).toBe(5);
  });

  it('an id that is sent 200 times in parallel has one effect, and 199 answers are duplicates', async () => {
    const player = await given.player(owner);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => update(player, 'credit', 3, 'parallel')),
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    const firsts = answers.filter((answer) => !answer.json().data.duplicate);
    expect(firsts).toHaveLength(1);
    expect((await balanceOf(player)).data.balance).toBe(3);
  });

  it('an id in a different letter case or in another package is not a duplicate', async () => {
    const player = await given.player(owner);
    for (const id of ['Case', 'case', 'case ', 'ｃase']) {
      expect((await update(player, 'credit', 1, id)).json().data.duplicate).toBe(false);
    }
    const other = await given.package();
    const theirs = await given.player(other);
    const answer = await post(
      { player_id: theirs, type: 'credit', amount: 9, transaction_id: 'Case' },
      other,
    );
    expect(answer.json().data.duplicate).toBe(false);
  });
});

describe('the limits of balances', () => {
  it('a refused debit that is repeated after funding gets the same refusal', async () => {
    const player = await given.player(owner, { balance: '1.00' });
    const first = await update(player, 'debit', 2, 'poor');
    expect(first.statusCode).toBe(422);
    expect(first.json()).toMatchObject({
      code: 'insufficient_funds',
      retryable: false,
      data: { balance: 1, duplicate: false },
      package_balance: expect.any(Number),
      credit_alert: null,
    });
    await update(player, 'credit', 100);
    const again = await update(player, 'debit', 2, 'poor');
    expect([again.statusCode, again.json().data]).toEqual([422, { balance: 1, duplicate: true }]);
    expect((await update(player, 'debit', 3, 'poor')).json().errors).toHaveProperty('amount');
    expect((await balanceOf(player)).data.balance).toBe(101);
  });

  it('a credit equal to the package credit is applied, and a larger credit gets 402', async () => {
    const poor = await given.package({ credit: '5.00', alertThreshold: 100n });
    const player = await given.player(poor);
    const send = (amount: number, id: string) =>
      post({ player_id: player, type: 'credit', amount, transaction_id: id }, poor);
    const refused = await send(5.01, 'a');
    expect([refused.statusCode, refused.json().code]).toEqual([402, 'package_credit_exhausted']);
    const last = await send(5, 'b');
    expect(last.json()).toMatchObject({ package_balance: 0, credit_alert: { level: 'exhausted' } });
    expect((await send(5.01, 'a')).statusCode).toBe(402);
  });

  it('the package credit can go down to minus the overdraft limit', async () => {
    const trusted = await given.package({ credit: '1.00' });
    await given.db.query('update packages set overdraft_limit = 200 where id = $1', [trusted.id]);
    const player = await given.player(trusted);
    const send = (amount: number) =>
      post({ player_id: player, type: 'credit', amount, transaction_id: nextId() }, trusted);
    expect((await send(3.01)).statusCode).toBe(402);
    expect((await send(3)).json()).toMatchObject({ package_balance: -2 });
    expect((await send(0.01)).statusCode).toBe(402);
  });

  it('a balance can reach 10^15 − 1 minor units', async () => {
    const rich = await given.package({ credit: '9999999999999.99' });
    const player = await given.player(rich);
    const send = (amount: unknown, type = 'credit') =>
      post({ player_id: player, type, amount, transaction_id: nextId() }, rich);
    expect((await send('9999999999999.99')).json().data.balance).toBe(9999999999999.99);
    await given.db.query('update packages set overdraft_limit = 100000 where id = $1', [rich.id]);
    const over = await given.package({ credit: '1' });
    expect(over.id).toBeGreaterThan(0);
    expect((await send(9999999999999.99, 'debit')).statusCode).toBe(200);
  });

  it('of 500 concurrent debits of the full balance exactly one succeeds', async () => {
    const player = await given.player(owner, { balance: '7.00' });
    const answers = await Promise.all(Array.from({ length: 500 }, () => update(player, 'debit', 7)));
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 422)).toHaveLength(499);
    expect((await balanceOf(player)).data.balance).toBe(0);
  });
});

describe('a refusal before the order reaches the ledger does not use up the transaction id', () => {
  it.each(
    [0, -1, 0.001, 1e21, '1e2', '0x10', ' 7 ', '', true, [5], {}, 'NaN', '-0', 123456789012345.6].map(
      (value) => [value],
    ),
  )('the amount %j gets 400 invalid_amount', async (amount) => {
    const player = await given.player(owner);
    const id = nextId();
    const answer = await update(player, 'credit', amount, id);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_amount',
      errors: { amount: [expect.any(String)] },
    });
    expect((await update(player, 'credit', 1, id)).json().data).toMatchObject({
      balance: 1,
      duplicate: false,
    });
  });

  it.each([
    ['the amount null', { amount: null }],
    ['no amount', { amount: undefined }],
    ['an unknown type', { type: 'Credit' }],
    ['no type', { type: undefined }],
    ['a player_id of 65 characters', { player_id: 'a'.repeat(65) }],
    ['a number as player_id', { player_id: 5 }],
    ['an empty transaction_id', { transaction_id: '' }],
    ['a transaction_id of 129 characters', { transaction_id: 'a'.repeat(129) }],
    ['a transaction_id with a NUL', { transaction_id: 'a\u0000' }],
    ['a transaction_id with a lone surrogate', { transaction_id: '\ud800' }],
    ['an array as transaction_id', { transaction_id: ['a'] }],
    ['a note of 256 characters', { note: 'a'.repeat(256) }],
    ['a note with a line feed', { note: 'a\nb' }],
  ])('a request with %s gets 400 invalid_parameter', async (_title, change) => {
    const answer = await post({
      player_id: 'p',
      type: 'credit',
      amount: 1,
      transaction_id: 'x',
      ...change,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_parameter']);
  });

  it('an unknown player gets 404, and the id can still be used', async () => {
    const id = nextId();
    const answer = await update('nobody', 'credit', 1, id);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'player_not_found']);
    const player = await given.player(owner);
    expect((await update(player, 'credit', 1, id)).json().data.duplicate).toBe(false);
  });

  it('broken JSON gets 400 and a wrong content type gets 415, both after the authentication', async () => {
    expect((await post('{"a":')).json().code).toBe('invalid_body');
    expect((await post('a=b', owner, { 'content-type': 'text/plain' })).statusCode).toBe(415);
    const anonymous = await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/update_balance',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    });
    expect(anonymous.statusCode).toBe(401);
  });

  it('a suspended package gets 403 with its credit', async () => {
    const suspended = await given.package({ state: 'suspended' });
    const answer = await post({ player_id: 'p' }, suspended);
    expect([answer.statusCode, answer.json().code, answer.json().package_balance]).toEqual([
      403,
      'package_suspended',
      1000,
    ]);
  });

  it("an update for another package's player gets the answer for an unknown player", async () => {
    const other = await given.package();
    const foreign = await given.player(other);
    const [unknown, theirs] = [await update('nobody', 'credit', 1), await update(foreign, 'credit', 1)];
    expect(withoutId(theirs.body)).toBe(withoutId(unknown.body));
  });
});
