// Top-ups and their reversals are exact and are applied once per transaction id. Refusals are final.
import { DatabaseUnavailableError, type Db } from '@counterfoil/kit/postgres/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../../src/audit/audit-event.ts';
import { topUpPackage } from '../../../src/packages/credit/top-up-package.ts';
import { type Given, type GivenPackage, givenWallet } from '../../environment/given.ts';
import {
  giveMember,
  giveProgram,
  openSecondApp,
  type Send,
  sendWithToken,
} from '../../environment/people.ts';

let given: Given;
let second: Awaited<ReturnType<typeof openSecondApp>>;
let admin: Send;
let elsewhere: Send;

beforeAll(async () => {
  given = await givenWallet();
  second = await openSecondApp(given);
  const program = await giveProgram(given);
  admin = program.send;
  elsewhere = sendWithToken(second.app, program.token);
});

afterAll(async () => {
  await second.close();
  await given.close();
});

const at = (owner: { id: number }) => `/admin/v1/packages/${owner.id}/top-ups`;
const topUp = (owner: GivenPackage, body: object, send = admin) => send('POST', at(owner), body);
const readBalance = async (owner: GivenPackage) =>
  (await admin('GET', `/admin/v1/packages/${owner.id}`)).body.data.package.balance;

describe('topping up', () => {
  it('a top-up adds to the package credit; a repeat gets the same answer and changes nothing', async () => {
    const owner = await given.package({ credit: '10.00' });
    const body = { amount: 19.99, transaction_id: 'invoice-1', note: 'May' };
    const first = await topUp(owner, body);
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual({
      transaction_id: 'invoice-1',
      type: 'top_up',
      amount: 19.99,
      balance_before: 10,
      balance: 29.99,
      currency: 'EUR',
      note: 'May',
      sequence: 2,
      created_at: given.clock.now.toISOString(),
      duplicate: false,
    });
    const again = await topUp(owner, { ...body, amount: '19.990'.slice(0, 5) }, elsewhere);
    expect(again.body.data).toEqual({ ...first.body.data, duplicate: true });
    expect(await readBalance(owner)).toBe(29.99);
  });

  it.each([
    ['amount', { amount: 2 }],
    ['note', { note: 'other' }],
    ['type', { type: 'top_up_reversal' }],
  ])(
    'a top-up with a used id but a different %s is refused, and the error names the field',
    async (field, change) => {
      const owner = await given.package({ credit: '10.00' });
      const body = { amount: 1, transaction_id: 'same', note: 'one' };
      await topUp(owner, body);
      const answer = await topUp(owner, { ...body, ...change });
      expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
        409,
        'transaction_conflict',
        [field],
      ]);
      expect(await readBalance(owner)).toBe(11);
    },
  );

  it.each([
    ['reverse', { reverse: true }, 7],
    ['reverse with the type of a reversal', { reverse: true, type: 'top_up_reversal' }, 7],
    ['reverse: false', { reverse: false }, 13],
  ])('a top-up accepts the field reverse, with or without type: %s', async (_title, fields, balance) => {
    const owner = await given.package({ credit: '10.00' });
    const answer = await topUp(owner, { amount: 3, transaction_id: 'worded', ...fields });
    expect([answer.status, answer.body.data?.balance]).toEqual([200, balance]);
    expect(await readBalance(owner)).toBe(balance);
  });

  it.each([
    ['reversed', { reversed: true }],
    ['reverse', { reverse: true, type: 'top_up' }],
    ['reverse', { reverse: false, type: 'top_up_reversal' }],
  ])(
    'a top-up with the unknown or contradictory field %s gets 400 and moves no money',
    async (field, fields) => {
      const owner = await given.package({ credit: '10.00' });
      const answer = await topUp(owner, { amount: 3, transaction_id: 'misspelt', ...fields });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
      expect(await readBalance(owner)).toBe(10);
    },
  );

  it('an id that is sent 50 times concurrently to two processes is applied and audited once', async () => {
    const owner = await given.package({ credit: '0' });
    const player = await given.player(owner);
    const body = { amount: '0.10', transaction_id: 'fifty' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => topUp(owner, body, i % 2 ? admin : elsewhere)),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const duplicates = answers.map(({ body: { data } }) => data.duplicate);
    expect(duplicates.filter((each) => !each)).toHaveLength(1);
    expect(new Set(answers.map(({ body: { data } }) => data.sequence))).toEqual(new Set([1]));
    expect(await readBalance(owner)).toBe(0.1);
    const log = await admin('GET', `/admin/v1/packages/${owner.id}/audit-log`);
    expect(log.body.data.entries).toMatchObject([
      {
        action: 'top_up_applied',
        subject: { kind: 'top_up', id: 'fifty' },
        details: { transaction_id: 'fifty', amount: 0.1 },
      },
    ]);
    // Another process wrote the top-up, so this ledger must detect that its cached credit is outdated.
    const credited = await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/update_balance',
      headers: owner.headers,
      payload: { player_id: player, type: 'credit', amount: 0.1, transaction_id: 'c1' },
    });
    expect(credited.json()).toMatchObject({ status: 'success', package_balance: 0 });
  });

  it('50 top-ups and 50 credits of players at the same time leave the exact package credit', async () => {
    const owner = await given.package({ credit: '100.00' });
    const player = await given.player(owner);
    const credit = (i: number) =>
      given.app.inject({
        method: 'POST',
        url: '/api/v1/user/update_balance',
        headers: owner.headers,
        payload: { player_id: player, type: 'credit', amount: 1, transaction_id: `c-${i}` },
      });
    const [topUps, credits] = await Promise.all([
      Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          topUp(owner, { amount: 0.01, transaction_id: `t-${i}` }, i % 2 ? admin : elsewhere),
        ),
      ),
      Promise.all(Array.from({ length: 50 }, (_, i) => credit(i))),
    ]);
    expect(topUps.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(credits.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
    expect(await readBalance(owner)).toBe(50.5);
  });

  it('a top-up above the balance limit is refused, even when the same id is sent again', async () => {
    const owner = await given.package({ credit: '0' });
    const most = '9999999999999.99';
    expect((await topUp(owner, { amount: most, transaction_id: 'most' })).status).toBe(200);
    const over = await topUp(owner, { amount: '0.01', transaction_id: 'over' });
    expect([over.status, over.body]).toMatchObject([
      422,
      { code: 'balance_limit', data: { balance: 9999999999999.99, duplicate: false } },
    ]);
    const body = { type: 'top_up_reversal', amount: most, transaction_id: 'back' };
    await topUp(owner, body);
    const again = await topUp(owner, { amount: '0.01', transaction_id: 'over' });
    expect([again.status, again.body]).toMatchObject([
      422,
      { code: 'balance_limit', data: { duplicate: true } },
    ]);
    expect(await readBalance(owner)).toBe(0);
  });
});

describe('reversals of top-ups', () => {
  it('reversals can lower the credit to minus the overdraft limit; refused ones stay refused', async () => {
    const owner = await given.package({ credit: '10.00' });
    await admin('PATCH', `/admin/v1/packages/${owner.id}`, { overdraft_limit: 5 });
    const back = (id: string, amount: number) =>
      topUp(owner, { type: 'top_up_reversal', amount, transaction_id: id });
    expect((await back('b1', 15)).body.data).toMatchObject({
      type: 'top_up_reversal',
      balance_before: 10,
      balance: -5,
    });
    const refused = await back('b2', 0.01);
    expect([refused.status, refused.body]).toMatchObject([
      402,
      { code: 'package_credit_exhausted', data: { balance: -5, duplicate: false } },
    ]);
    await topUp(owner, { amount: 100, transaction_id: 'more' });
    const repeated = await back('b2', 0.01);
    expect([repeated.status, repeated.body.data]).toEqual([402, { balance: -5, duplicate: true }]);
    expect(await readBalance(owner)).toBe(95);
    const log = await admin('GET', `/admin/v1/packages/${owner.id}/audit-log`);
    expect(log.body.data.entries.map((each: { action: string }) => each.action)).toEqual([
      'top_up_applied',
      'top_up_reversal_refused',
      'top_up_reversal_applied',
      'package_edited',
    ]);
  });
});

describe('atomicity of top-ups', () => {
  it('a failed write to the audit log leaves the money unchanged', async () => {
    const owner = await given.package({ credit: '1.00' });
    const body = { amount: 5, transaction_id: 'unlogged' };
    await given.db.query('alter table audit_log rename to audit_log_away');
    const failed = await topUp(owner, body);
    await given.db.query('alter table audit_log_away rename to audit_log');
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error']);
    expect(await readBalance(owner)).toBe(1);
    expect((await topUp(owner, body)).body.data).toMatchObject({ balance: 6, duplicate: false });
  });

  it('a top-up gets outcome_unknown if its commit is not confirmed; a repeat gets the outcome', async () => {
    const owner = await given.package({ credit: '0' });
    const lossy: Db = {
      ...given.db,
      transaction: async (work) => {
        await given.db.transaction(work);
        throw new DatabaseUnavailableError('the answer was lost');
      },
    };
    const target = { packageId: owner.id, actor: operator, at: given.clock.now };
    const order = { type: 'top_up', amount: '3.00', transactionId: 'lost', note: '' } as const;
    await expect(topUpPackage(lossy, { ...target, ...order })).rejects.toMatchObject({
      code: 'outcome_unknown',
      retryable: true,
    });
    const again = await topUp(owner, { amount: 3, transaction_id: 'lost' });
    expect(again.body.data).toMatchObject({ duplicate: true, balance: 3 });
  });
});

describe('input of top-ups', () => {
  const good = { amount: 1, transaction_id: 'x' };
  it.each([
    ['no id', { amount: 1 }, 'invalid_parameter', 'transaction_id'],
    ['an empty id', { ...good, transaction_id: '' }, 'invalid_parameter', 'transaction_id'],
    ['a number as id', { ...good, transaction_id: 7 }, 'invalid_parameter', 'transaction_id'],
    ['an id with a NUL', { ...good, transaction_id: 'a\u0000' }, 'invalid_parameter', 'transaction_id'],
    [
      'an id of 129 characters',
      { ...good, transaction_id: 'x'.repeat(129) },
      'invalid_parameter',
      'transaction_id',
    ],
    ['no amount', { transaction_id: 'x' }, 'invalid_parameter', 'amount'],
    ['an amount of null', { ...good, amount: null }, 'invalid_parameter', 'amount'],
    ['an amount of zero', { ...good, amount: 0 }, 'invalid_amount', 'amount'],
    ['a negative amount', { ...good, amount: -1 }, 'invalid_amount', 'amount'],
    ['three decimals', { ...good, amount: 0.001 }, 'invalid_amount', 'amount'],
    ['a hexadecimal amount', { ...good, amount: '0x10' }, 'invalid_amount', 'amount'],
    ['an amount of true', { ...good, amount: true }, 'invalid_amount', 'amount'],
    ['an unknown type', { ...good, type: 'credit' }, 'invalid_parameter', 'type'],
    ['a note of 256 characters', { ...good, note: 'x'.repeat(256) }, 'invalid_parameter', 'note'],
  ])(
    'a top-up with %s is refused, the error names the field, and the id is not used up',
    async (_t, body, code, field) => {
      const owner = await given.package({ credit: '0' });
      const answer = await topUp(owner, body);
      expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
        400,
        code,
        [field],
      ]);
      expect((await topUp(owner, good)).body.data).toMatchObject({ duplicate: false, balance: 1 });
    },
  );
});

describe('history of top-ups', () => {
  it('top-ups and refusals are listed newest first, and members may read the list', async () => {
    const owner = await given.package({ credit: '5.00' });
    const player = await given.player(owner, { balance: '1.00' });
    expect(player).toBeDefined();
    await topUp(owner, { amount: 2, transaction_id: 'two', note: 'N' });
    await topUp(owner, { type: 'top_up_reversal', amount: 50, transaction_id: 'fifty' });
    const member = await giveMember(given, owner, 'member');
    const path = `/panel/packages/${owner.id}/top-ups`;
    const first = await member.send('GET', `${path}?limit=2`);
    expect(first.body.data.top_ups).toMatchObject([
      {
        transaction_id: 'fifty',
        type: 'top_up_reversal',
        result: 'refused',
        code: 'package_credit_exhausted',
        balance_before: 6,
        balance: 6,
      },
      { transaction_id: 'two', note: 'N', result: 'applied', balance_before: 4, balance: 6 },
    ]);
    const { next_cursor: cursor } = first.body.data;
    const rest = await member.send('GET', `${path}?limit=2&cursor=${cursor}`);
    expect(rest.body.data).toMatchObject({
      top_ups: [{ transaction_id: 'opening', balance: 5 }],
      next_cursor: null,
    });
    expect((await member.send('POST', path, { amount: 1, transaction_id: 'z' })).status).toBe(405);
  });
});
