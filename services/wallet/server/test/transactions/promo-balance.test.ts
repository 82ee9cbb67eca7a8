// Promo money is a second balance of a player. It is moved with the field `purse` and is separate from cash.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasePlayer } from '../../src/players/erase-player.ts';
import { verifyLedger } from '../../src/proof/verify-ledger.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember, giveProgram, type Send } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let admin: Send;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000.00' });
  admin = (await giveProgram(given)).send;
});

afterAll(() => given.close());

const move = async (payload: object) => {
  const url = '/api/v1/user/update_balance';
  const answer = await given.app.inject({ method: 'POST', url, headers: owner.headers, payload });
  return { status: answer.statusCode, text: answer.body, body: answer.json() };
};

const get = async (path: string) =>
  (await given.app.inject({ url: `/api/v1/${path}`, headers: owner.headers })).json();

/** The panel shows a promo balance only if the player has a promo account. */
async function hasPromoAccount(playerId: string): Promise<boolean> {
  const { body } = await admin('GET', `/admin/v1/packages/${owner.id}/player?player_id=${playerId}`);
  return 'promo_balance' in body.data.player;
}

let ids = 0;

async function givenPlayer() {
  const player_id = await given.player(owner, { balance: '50.00' });
  const order = (more: object) =>
    move({ player_id, type: 'credit', amount: 10, transaction_id: `t-${++ids}`, ...more });
  return { player_id, order, promo: (more: object) => order({ purse: 'promo', ...more }) };
}

describe('update_balance with promo money', () => {
  it('update_balance credits and debits the promo balance without changing the cash balance', async () => {
    const { player_id, promo } = await givenPlayer();
    const { status, body } = await promo({ amount: '12.50' });
    expect([status, body.data]).toMatchObject([
      200,
      { player_id, balance_before: 0, balance: 12.5, purse: 'promo', currency: 'EUR', duplicate: false },
    ]);
    expect((await promo({ type: 'debit', amount: 2 })).body.data).toMatchObject({ balance: 10.5 });
    const read = await get(`user/balance?player_id=${player_id}`);
    expect([read.data.balance, Object.keys(read.data)]).toEqual([
      50,
      ['player_id', 'balance', 'currency', 'status', 'updated_at'],
    ]);
  });

  it('an order moves cash without purse or with the purse cash, and the answer names no purse', async () => {
    const { order } = await givenPlayer();
    const plain = await order({});
    expect(plain.body.data).toMatchObject({ balance: 60 });
    expect(plain.text).not.toContain('purse');
    const named = await order({ purse: 'cash' });
    expect(named.body.data).toMatchObject({ balance: 70 });
    expect(named.text).not.toContain('purse');
  });

  it('a debit above the promo balance is refused, and a repeat gets the same refusal', async () => {
    const { promo } = await givenPlayer();
    const { body } = await promo({ amount: 5 });
    const refused = await promo({ type: 'debit', amount: 6, transaction_id: 'too-much' });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'insufficient_funds', data: { balance: 5 }, package_balance: body.package_balance },
    ]);
    const again = await promo({ type: 'debit', amount: 6, transaction_id: 'too-much' });
    expect(again.body.data).toEqual({ balance: 5, duplicate: true });
  });

  it('promo money and cash share one space of transaction ids', async () => {
    const { player_id, order, promo } = await givenPlayer();
    const first = await promo({ transaction_id: 'shared' });
    const repeat = await promo({ transaction_id: 'shared' });
    expect(repeat.body.data).toEqual({ ...first.body.data, duplicate: true });
    const other = await order({ transaction_id: 'shared' });
    expect([other.status, other.body.code, Object.keys(other.body.errors)]).toEqual([
      409,
      'transaction_conflict',
      ['purse'],
    ]);
    await order({ transaction_id: 'shared-cash' });
    const reverse = await promo({ transaction_id: 'shared-cash' });
    expect(Object.keys(reverse.body.errors)).toEqual(['purse']);
    const stranger = await given.player(owner);
    const foreign = await move({
      ...{ player_id: stranger, purse: 'promo', type: 'credit', amount: 10, transaction_id: 'shared' },
    });
    expect(Object.keys(foreign.body.errors)).toEqual(['player_id']);
    const balance = await get(`user/balance?player_id=${player_id}`);
    expect(balance.data.balance).toBe(60);
  });

  it('a first promo order that is a conflict opens no promo account', async () => {
    const member = await giveMember(given, owner, 'owner');
    const adjust = (body: object) => member.send('POST', `/panel/packages/${owner.id}/player/adjust`, body);
    for (const send of [move, adjust]) {
      const { player_id, order } = await givenPlayer();
      const first = { player_id, purse: 'promo', type: 'credit', amount: '10', transaction_id: player_id };
      await order({ transaction_id: player_id });
      for (const repeat of [first, first]) {
        const { status, body } = await send(repeat);
        expect([status, body.code, Object.keys(body.errors)]).toEqual([
          409,
          'transaction_conflict',
          ['purse'],
        ]);
      }
      expect(await hasPromoAccount(player_id)).toBe(false);
      const other = await send({ ...first, transaction_id: `new-${player_id}` });
      expect([other.status, other.body.data.balance]).toEqual([200, 10]);
      expect(await hasPromoAccount(player_id)).toBe(true);
    }
  });

  it.each([null, 'bonus', 1, true, ['promo']].map((value) => [value]))(
    'an update of the purse %j is refused',
    async (purse) => {
      const { order } = await givenPlayer();
      const { status, body } = await order({ purse });
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid_parameter', ['purse']]);
    },
  );

  it('update_balance with promo money is refused for an unknown player', async () => {
    const unknown = { player_id: 'nobody', purse: 'promo', type: 'credit', amount: 1, transaction_id: 'u' };
    expect((await move(unknown)).body.code).toBe('player_not_found');
  });

  it('concurrent first movements of promo money open one promo account for the player', async () => {
    const { promo } = await givenPlayer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => promo({ amount: 1 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const balances = answers.map(({ body }) => body.data.balance).sort((a, b) => a - b);
    expect(balances).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

it('an owner credits promo money by hand, and the audit log names the purse', async () => {
  const { player_id } = await givenPlayer();
  const { send } = await giveMember(given, owner, 'owner');
  const base = `/panel/packages/${owner.id}`;
  const credit = { player_id, type: 'credit', amount: '6.50', transaction_id: 'by-hand' };
  const made = await send('POST', `${base}/player/adjust`, { ...credit, purse: 'promo' });
  expect(made.body.data).toMatchObject({ balance_before: 0, balance: 6.5, purse: 'promo' });
  const other = await send('POST', `${base}/player/adjust`, credit);
  expect([other.status, Object.keys(other.body.errors)]).toEqual([409, ['purse']]);
  const { body } = await send('GET', `${base}/audit-log?action=player_credited`);
  expect(body.data.entries[0].details).toMatchObject({ transaction_id: 'by-hand', purse: 'promo' });
});

describe('reads of promo money', () => {
  it('transaction, statement, feed and panel mark movements of promo money', async () => {
    const { player_id, order, promo } = await givenPlayer();
    await promo({ amount: 3, transaction_id: 'p-1', note: 'Welcome' });
    await order({ amount: 4, transaction_id: 'c-1' });
    const cash = await get(`user/transactions?player_id=${player_id}`);
    expect(cash.data.transactions.map((line: object) => 'purse' in line)).toEqual([false, false]);
    const statement = await get(`user/transactions?player_id=${player_id}&purse=promo`);
    expect(statement.data.transactions).toMatchObject([
      { transaction_id: 'p-1', change: 3, balance: 3, purse: 'promo', note: 'Welcome' },
    ]);
    const one = await get('user/transaction?transaction_id=p-1');
    expect(one.data).toMatchObject({ player_id, balance_before: 0, balance: 3, purse: 'promo' });
    const feed = await get('feed?limit=1000');
    const lines = feed.data.movements.filter((line: { player_id: string }) => line.player_id === player_id);
    expect(lines.at(-2)).toMatchObject({
      transaction_id: 'p-1',
      player_change: 3,
      balance: 3,
      purse: 'promo',
    });
    expect(lines.at(-1)).not.toHaveProperty('purse');
    const path = `/admin/v1/packages/${owner.id}/player`;
    const shown = await admin('GET', `${path}?player_id=${player_id}`);
    expect(shown.body.data.player).toMatchObject({ balance: 54, promo_balance: 3 });
    const panel = await admin('GET', `${path}/statement?player_id=${player_id}&purse=promo`);
    expect(panel.body.data.transactions).toHaveLength(1);
  });

  it('a player who never had promo money has no promo balance and an empty promo statement', async () => {
    const { player_id } = await givenPlayer();
    expect(await hasPromoAccount(player_id)).toBe(false);
    const statement = await get(`user/transactions?player_id=${player_id}&purse=promo`);
    expect(statement.data.transactions).toEqual([]);
  });
});

it('the erasure of a player removes the notes of promo movements, and the ledger has no flaw', async () => {
  const { player_id, promo, order } = await givenPlayer();
  await promo({ transaction_id: 'noted-promo', note: 'For Ada' });
  await order({ transaction_id: 'noted-cash', note: 'For Ada' });
  await erasePlayer(given.db, { packageId: owner.id, playerId: player_id });
  const { rows } = await given.db.query('select note from journal_notes where note = $1', ['For Ada']);
  expect(rows).toEqual([]);
  const found = await get('user/transaction?transaction_id=noted-promo');
  expect(found.data.player_id).toMatch(/^erased-/);
  expect((await verifyLedger(given.db, owner.id)).flaws).toEqual([]);
});
