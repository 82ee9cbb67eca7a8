// POST /api/v1/game/callback: the effects, answers and refusals of each action.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProvider, type Provider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;
let provider: Provider;
let counter = 0;

beforeAll(async () => {
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' });
  owner = await given.package({ credit: '100000.00' });
  provider = createProvider(given, owner);
});

afterAll(() => given.close());

const id = (lead = 't') => `${lead}-${++counter}`;
const bet = (player: string, amount: unknown, more: object = {}) =>
  provider.send({ action: 'bet', player_id: player, transaction_id: id('b'), amount, ...more });
const win = (player: string, amount: unknown, more: object = {}) =>
  provider.send({ action: 'win', player_id: player, transaction_id: id('w'), amount, ...more });
const rollback = (player: string, reference: string | undefined, more: object = {}) =>
  provider.send({
    action: 'rollback',
    player_id: player,
    transaction_id: id('r'),
    ...(reference !== undefined && { reference_transaction_id: reference }),
    ...more,
  });

describe('bets', () => {
  it('the answer to a bet has exactly the contract fields; the package credit is unchanged', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const { package_balance: credit } = (await provider.send({ action: 'balance', player_id: player })).body;
    const answer = await bet(player, 2.5, {
      transaction_id: 'letter',
      game_id: 'g',
      round_id: 'r',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: {
        transaction_id: 'letter',
        player_id: player,
        balance: 7.5,
        currency: 'EUR',
        duplicate: false,
        result: 'applied',
      },
      balance: 7.5,
      package_balance: credit,
      credit_alert: null,
      request_id: answer.headers['x-request-id'],
    });
  });

  it('bets without funds get 422 with the balance, and repeats of the id get the same refusal', async () => {
    const player = await given.player(owner, { balance: '1.00' });
    const poor = { transaction_id: 'poor' };
    const refusal = await bet(player, 5, poor);
    expect(refusal).toMatchObject({
      status: 422,
      body: {
        code: 'insufficient_funds',
        data: { balance: 1, duplicate: false },
        balance: 1,
        package_balance: expect.any(Number),
        credit_alert: null,
      },
    });
    await win(player, 100);
    const again = await bet(player, 5, poor);
    expect(again).toMatchObject({
      status: 422,
      body: { code: 'insufficient_funds', data: { balance: 1, duplicate: true }, balance: 1 },
    });
    expect(await provider.balance(player)).toBe(101);
  });

  it('bets of zero are recorded and move no money', async () => {
    const player = await given.player(owner, { balance: '3.00' });
    expect((await bet(player, 0)).body.data).toMatchObject({ result: 'recorded', balance: 3 });
    expect((await bet(player, '0.00')).body.data.result).toBe('recorded');
  });

  it('a block of a player stops new bets, but not wins, rollbacks and repeats of earlier bets', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const first = { transaction_id: 'before-block' };
    await bet(player, 1, first);
    const set = (status: string) =>
      given.app.inject({
        method: 'POST',
        url: '/api/v1/user/status',
        headers: owner.headers,
        payload: { player_id: player, status },
      });
    await set('blocked');
    const refused = { transaction_id: 'while-blocked' };
    expect(await bet(player, 1, refused)).toMatchObject({
      status: 403,
      body: { code: 'player_blocked', data: { balance: 4 } },
    });
    expect((await bet(player, 1, first)).body.data).toMatchObject({ duplicate: true, balance: 4 });
    expect((await win(player, 2)).body.data.balance).toBe(6);
    expect((await rollback(player, 'before-block')).body.data.balance).toBe(7);
    await set('active');
    expect((await bet(player, 1, refused)).body.data).toMatchObject({
      duplicate: false,
      balance: 6,
    });
  });

  it('bets in a closed round get 409', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    await bet(player, 1, { round_id: 'closing', round_finished: true });
    expect(await bet(player, 1, { round_id: 'closing' })).toMatchObject({
      status: 409,
      body: { code: 'round_closed', data: { balance: 4 }, balance: 4 },
    });
  });
});

describe('wins', () => {
  it('wins are credited with a reference, without a reference, and for a closed round', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    await bet(player, 5, { transaction_id: 'won', round_id: 'late' });
    const of = { reference_transaction_id: 'won', round_id: 'late' };
    expect((await win(player, 3, { ...of, round_finished: true })).body.data).toMatchObject({
      result: 'applied',
      balance: 3,
    });
    expect((await win(player, 4, of)).body.data).toMatchObject({ result: 'late', balance: 7 });
    expect((await win(player, 0, of)).body.data).toMatchObject({ result: 'recorded', balance: 7 });
    expect((await win(player, 1)).body.data).toMatchObject({ result: 'applied', balance: 8 });
  });

  it('wins get 404 for an unknown bet, and 409 for a rolled-back or refused bet', async () => {
    const player = await given.player(owner, { balance: '5.00' });
    const unseen = await win(player, 1, { reference_transaction_id: 'nowhere' });
    expect(unseen).toMatchObject({
      status: 404,
      body: { code: 'bet_not_found', retryable: true, balance: 5 },
    });
    await bet(player, 2, { transaction_id: 'undone' });
    await rollback(player, 'undone');
    expect(await win(player, 1, { reference_transaction_id: 'undone' })).toMatchObject({
      status: 409,
      body: { code: 'bet_rolled_back' },
    });
    await bet(player, 50, { transaction_id: 'too-much' });
    expect(await win(player, 1, { reference_transaction_id: 'too-much' })).toMatchObject({
      status: 409,
      body: { code: 'bet_refused' },
    });
    expect(await provider.balance(player)).toBe(5);
  });

  it('wins above the balance limit get 422', async () => {
    const player = await given.player(owner);
    expect((await win(player, '9999999999999.99')).status).toBe(200);
    expect(await win(player, '0.01')).toMatchObject({
      status: 422,
      body: { code: 'balance_limit' },
    });
  });
});

describe('bet_win', () => {
  const betWin = (player: string, betAmount: unknown, winAmount: unknown, more: object = {}) =>
    provider.send({
      action: 'bet_win',
      player_id: player,
      transaction_id: id('bw'),
      bet_amount: betAmount,
      win_amount: winAmount,
      ...more,
    });

  it('bet_win moves both amounts or none, and is accepted with a win of zero', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    expect((await betWin(player, 4, 1)).body.data).toMatchObject({ result: 'applied', balance: 7 });
    const lost = { transaction_id: 'lost' };
    expect((await betWin(player, 2, 0, lost)).body.data).toMatchObject({
      result: 'applied',
      balance: 5,
      duplicate: false,
    });
    expect((await betWin(player, 2, 0, lost)).body.data).toMatchObject({
      result: 'applied',
      balance: 5,
      duplicate: true,
    });
    expect((await betWin(player, 0, 0)).body.data.result).toBe('recorded');
    expect(await betWin(player, 6, 100)).toMatchObject({
      status: 422,
      body: { code: 'insufficient_funds', balance: 5 },
    });
    expect(await provider.balance(player)).toBe(5);
  });

  it('a bet_win cannot be rolled back, and a conflict names the amount that differs', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const own = { transaction_id: 'settled-alone' };
    await betWin(player, 1, 0, own);
    expect((await rollback(player, 'settled-alone')).body.code).toBe('bet_already_settled');
    expect((await betWin(player, 2, 0, own)).body.errors).toHaveProperty('bet_amount');
    expect((await betWin(player, 1, 1, own)).body.errors).toHaveProperty('win_amount');
  });
});

describe('rollbacks', () => {
  it('rollbacks return the stored amount only once, whatever their ids and action names are', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    await bet(player, 4, { transaction_id: 'back' });
    expect((await rollback(player, 'back')).body.data).toMatchObject({
      result: 'rolled_back',
      balance: 10,
    });
    for (const action of ['rollback', 'refund', 'cancel']) {
      expect((await rollback(player, 'back', { action })).body.data).toMatchObject({
        result: 'already_rolled_back',
        balance: 10,
      });
    }
  });

  it('rollbacks before the bet get the result "tombstoned", and the late bet is refused', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    expect((await rollback(player, 'to-come')).body.data.result).toBe('tombstoned');
    expect(await bet(player, 4, { transaction_id: 'to-come' })).toMatchObject({
      status: 409,
      body: { code: 'bet_rolled_back', balance: 10 },
    });
  });

  it("rollbacks of a refused bet, a win, a settled bet or another player's bet move no money", async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const other = await given.player(owner, { balance: '10.00' });
    await bet(player, 50, { transaction_id: 'refused-bet' });
    expect((await rollback(player, 'refused-bet')).body.data.result).toBe('nothing_to_roll_back');
    await win(player, 1, { transaction_id: 'a-win' });
    expect(await rollback(player, 'a-win')).toMatchObject({
      status: 409,
      body: { code: 'not_a_bet' },
    });
    await bet(player, 1, { transaction_id: 'settled' });
    await win(player, 0, { reference_transaction_id: 'settled' });
    expect((await rollback(player, 'settled')).body.code).toBe('bet_already_settled');
    await bet(player, 1, { transaction_id: 'of-round', round_id: 'ended' });
    await provider.send({ action: 'end_round', player_id: player, round_id: 'ended' });
    expect((await rollback(player, 'of-round')).body.code).toBe('bet_already_settled');
    await bet(player, 1, { transaction_id: 'mine' });
    expect((await rollback(other, 'mine')).body.data).toMatchObject({
      result: 'tombstoned',
      balance: 10,
    });
    expect((await rollback(player, 'mine')).body.data.result).toBe('rolled_back');
  });

  it('rollbacks without a reference get 400', async () => {
    const player = await given.player(owner);
    expect(await rollback(player, undefined)).toMatchObject({
      status: 400,
      body: { code: 'reference_required', errors: { reference_transaction_id: ['is required.'] } },
    });
  });
});

describe('end_round and balance', () => {
  it('end_round closes a round for only one player, and a repeat gets the same answer', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const other = await given.player(owner, { balance: '10.00' });
    const end = (of: string) => provider.send({ action: 'end_round', player_id: of, round_id: 'shared' });
    expect((await end(player)).body.data).toEqual({
      transaction_id: null,
      player_id: player,
      balance: 10,
      currency: 'EUR',
      duplicate: false,
      result: 'closed',
    });
    expect((await end(player)).body.data).toMatchObject({ duplicate: true, result: 'closed' });
    expect((await bet(player, 1, { round_id: 'shared' })).body.code).toBe('round_closed');
    expect((await bet(other, 1, { round_id: 'shared' })).status).toBe(200);
    expect((await end(other)).body.data.duplicate).toBe(false);
  });

  it('balance reads the balance and stores nothing', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const before = await provider.books();
    const answer = await provider.send({ action: 'balance', player_id: player });
    expect(answer.body).toMatchObject({
      balance: 10,
      data: { balance: 10, transaction_id: null, result: null, duplicate: false },
    });
    expect(await provider.books()).toEqual(before);
  });
});

describe('a transaction id that is used again', () => {
  it('a used id with different content gets 409 with the field that differs; no money moves', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const other = await given.player(owner, { balance: '10.00' });
    const first = {
      action: 'bet',
      player_id: player,
      transaction_id: 'content',
      amount: 1,
      round_id: 'r',
      game_id: 'g',
    };
    expect((await provider.send(first)).status).toBe(200);
    const before = await provider.books();
    const cases = {
      player_id: { player_id: other },
      amount: { amount: 1.01 },
      round_id: { round_id: 'other' },
      game_id: { game_id: 'other' },
      action: { action: 'bet_win', bet_amount: 1, win_amount: 0 },
    };
    for (const [field, change] of Object.entries(cases)) {
      const answer = await provider.send({ ...first, ...change });
      expect(answer).toMatchObject({ status: 409, body: { code: 'transaction_conflict' } });
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
    const leftOut = await provider.send({ ...first, round_id: null });
    expect(leftOut.body.errors).toHaveProperty('round_id');
    expect(await provider.books()).toEqual(before);
    const repeat = await provider.send({ ...first, amount: '1.00', currency: 'EUR' });
    expect(repeat.body).toMatchObject({ data: { duplicate: true, balance: 9 }, balance: 9 });
  });

  it('a win or rollback with a used id but a different reference is a conflict on that field', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    for (const name of ['ref-1', 'ref-2']) await bet(player, 1, { transaction_id: name });
    const won = { transaction_id: 'ref-win', reference_transaction_id: 'ref-1' };
    await win(player, 1, won);
    const other = await win(player, 1, { ...won, reference_transaction_id: 'ref-2' });
    expect(other.body.errors).toHaveProperty('reference_transaction_id');
    const back = { transaction_id: 'ref-back' };
    await rollback(player, 'ref-2', back);
    expect((await rollback(player, 'ref-1', back)).body.errors).toHaveProperty('reference_transaction_id');
  });

  it('a bet, a win, a rollback and a transfer with one id are not duplicates of each other', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const same = { transaction_id: 'one-id' };
    expect((await bet(player, 1, same)).body.data.duplicate).toBe(false);
    expect((await win(player, 1, same)).body.data.duplicate).toBe(false);
    expect((await rollback(player, 'nothing', same)).body.data.duplicate).toBe(false);
    const update = await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/update_balance',
      headers: owner.headers,
      payload: { player_id: player, type: 'credit', amount: 1, ...same },
    });
    expect(update.json().data.duplicate).toBe(false);
  });

  it('50 equal bets in parallel are debited once, and 49 of the answers are duplicates', async () => {
    const player = await given.player(owner, { balance: '10.00' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => bet(player, 1, { transaction_id: 'fifty' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(answers.filter((answer) => !answer.body.data.duplicate)).toHaveLength(1);
    expect(await provider.balance(player)).toBe(9);
  });
});
