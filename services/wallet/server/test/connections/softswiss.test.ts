// SoftSwiss calls to the running service: money, repeats, refusals, shortfalls, the feed and rounds.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWalletRequest } from '../../src/connections/dialects/softswiss/signature.ts';
import { type GivenConnection, giveConnection } from '../environment/connections.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let connection: GivenConnection;

const token = 'softswiss-token';

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '10000.00' });
  connection = await giveConnection(given, owner, { dialect: 'softswiss', secrets: { token } });
});

afterAll(() => given.close());

const call = (path: string, content: object | string, by = connection) =>
  by.send(signWalletRequest(token, path, content));

let rounds = 0;

/** Creates a player with 100.00 and builders of the player's requests. Each player has a separate round. */
async function givenPlayer(balance = '100.00') {
  const account_id = await given.player(owner, { balance });
  const round_id = `round-${++rounds}`;
  const base = { account_id, currency: 'EUR', game_id: 'dice' };
  const leg = (type: 'bet' | 'win', id: string, amount: string) => ({ id_provider: id, type, amount });
  return {
    account_id,
    betwin: (transactions: object[], more = {}) =>
      call('/betwin', { ...base, round_id, transactions, ...more }),
    rollback: (id: string, original: string, more = {}) =>
      call('/rollback', {
        ...base,
        round_id_provider: round_id,
        transactions: [{ id_provider: id, type: 'rollback', original_id_provider: original }],
        ...more,
      }),
    finish: () => call('/finish', { account_id, currency: 'EUR', round_id }),
    balance: async () => ((await call('/balance', base)).body as { balance: string }).balance,
    bet: (id: string, amount: string) => leg('bet', id, amount),
    win: (id: string, amount: string) => leg('win', id, amount),
  };
}

describe('a call of SoftSwiss', () => {
  it('a bet and a win in one call change the balance that user/balance returns', async () => {
    const { betwin, bet, win, account_id } = await givenPlayer();
    const { status, body } = await betwin([bet('m-1', '10.00'), win('m-2', '25.00')], { finished: true });
    expect([status, body]).toMatchObject([
      200,
      { balance: '115.00', transactions: [{ id_provider: 'm-1' }, { id_provider: 'm-2' }] },
    ]);
    const read = await given.app.inject({
      url: `/api/v1/user/balance?player_id=${account_id}`,
      headers: owner.headers,
    });
    expect(read.json().data.balance).toBe(115);
  });

  it('a repeat gets the first answer byte for byte, and moves nothing', async () => {
    const { betwin, bet, balance } = await givenPlayer();
    const first = await betwin([bet('r-1', '10.00')]);
    await betwin([bet('r-2', '5.00')]);
    expect((await betwin([bet('r-1', '10.00')])).body).toEqual(first.body);
    expect(await balance()).toBe('85.00');
  });

  it('a call whose second bet lacks funds moves nothing and is answered with the balance', async () => {
    const { betwin, bet, balance } = await givenPlayer();
    const { status, body } = await betwin([bet('a-1', '60.00'), bet('a-2', '60.00')]);
    expect([status, body]).toMatchObject([400, { meta: { api_code: '100', balance: '100.00' } }]);
    expect(await balance()).toBe('100.00');
  });

  it('a rollback returns a bet once, and the rollback of a win takes at most the balance', async () => {
    const { betwin, bet, win, rollback, balance } = await givenPlayer('0.00');
    await betwin([win('w-1', '25.00')]);
    await betwin([bet('w-2', '20.00')]);
    expect((await rollback('w-3', 'w-1')).body).toMatchObject({ balance: '0.00' });
    expect((await rollback('w-4', 'w-2')).body).toMatchObject({ balance: '20.00' });
    expect((await rollback('w-5', 'w-2')).body).toMatchObject({ balance: '20.00' });
    expect(await balance()).toBe('20.00');
    const { rows } = await given.db.query(
      `select shortfall from journal where package_id = $1 and kind = 11 and transaction_id = 'w-3'`,
      [owner.id],
    );
    expect(rows).toEqual([{ shortfall: 2000n }]);
  });

  it('a bet or win that arrives after its rollback is refused', async () => {
    const { betwin, bet, win, rollback, balance } = await givenPlayer();
    expect((await rollback('t-1', 't-bet')).body).toMatchObject({ transactions: [{ id: '' }] });
    await rollback('t-2', 't-win');
    for (const leg of [bet('t-bet', '10.00'), win('t-win', '10.00')]) {
      expect(await betwin([leg])).toMatchObject({ status: 400, body: { meta: { api_code: '409' } } });
    }
    expect(await balance()).toBe('100.00');
  });

  it('the end of a round is answered with the balance, and its repeat gets the same answer', async () => {
    const { finish } = await givenPlayer();
    const first = await finish();
    expect(first.body).toEqual({ balance: '100.00' });
    expect((await finish()).body).toEqual(first.body);
  });
});

describe('two connections', () => {
  it('bets with the same ids in two connections both move money', async () => {
    const other = await giveConnection(given, owner, { dialect: 'softswiss', secrets: { token } });
    const account_id = await given.player(owner, { balance: '100.00' });
    const content = {
      ...{ account_id, currency: 'EUR', game_id: 'dice', round_id: 'same' },
      transactions: [{ id_provider: 'same', type: 'bet', amount: '10.00' }],
    };
    const answers = [await call('/betwin', content), await call('/betwin', content, other)];
    expect(answers.map(({ body }) => (body as { balance: string }).balance)).toEqual(['90.00', '80.00']);
  });
});

describe('a request that is refused', () => {
  it.each([
    ['a wrong signature', (id: string) => ({ ...signWalletRequest('other', '/balance', body(id)) }), '403'],
    [
      'no signature',
      (id: string) => ({ ...signWalletRequest(token, '/balance', body(id)), headers: {} }),
      '403',
    ],
    ['an unknown player', () => signWalletRequest(token, '/balance', body('nobody')), '101'],
    [
      'a currency that is not the package’s',
      (id: string) => signWalletRequest(token, '/balance', body(id, 'USD')),
      '154',
    ],
    ['invalid JSON', () => signWalletRequest(token, '/balance', '{'), '400'],
    ['an unknown path', (id: string) => signWalletRequest(token, '/nothing', body(id)), '404'],
    [
      'a body over 64 KiB',
      (id: string) => signWalletRequest(token, '/balance', { ...body(id), more: 'x'.repeat(70_000) }),
      '400',
    ],
  ])(
    'a request that is refused because of %s gets an error of the dialect',
    async (_name, make, api_code) => {
      const id = await given.player(owner, { balance: '1.00' });
      const answer = await connection.send(make(id));
      expect(answer).toMatchObject({ status: 400, body: { meta: { api_code } } });
    },
  );

  const body = (account_id: string, currency = 'EUR') => ({ account_id, currency, game_id: 'dice' });

  it('a request to an unknown connection gets the same answer as a request to an unknown URL', async () => {
    const wrong = `con_${owner.id}x${'0'.repeat(30)}`;
    const answer = await given.app.inject({
      method: 'POST',
      url: `/providers/${wrong}/balance`,
      payload: {},
    });
    const unknown = await given.app.inject({ method: 'POST', url: '/nothing-here', payload: {} });
    expect([answer.statusCode, answer.json().code]).toEqual([404, unknown.json().code]);
  });

  it('a bet of a blocked player moves no money, but a rollback of the player is accepted', async () => {
    const { betwin, bet, rollback, account_id } = await givenPlayer();
    await betwin([bet('bl-1', '10.00')]);
    await given.db.query(`update players set status = 'blocked' where package_id = $1 and player_id = $2`, [
      owner.id,
      account_id,
    ]);
    await given.app.inject({
      method: 'POST',
      url: '/api/v1/user/status',
      headers: owner.headers,
      payload: { player_id: account_id, status: 'blocked' },
    });
    expect(await betwin([bet('bl-2', '10.00')])).toMatchObject({ body: { meta: { api_code: '110' } } });
    expect((await rollback('bl-3', 'bl-1')).body).toMatchObject({ balance: '100.00' });
  });
});

it('in the statement of a player, only the reversal of a win has a shortfall', async () => {
  const { betwin, bet, win, rollback, account_id } = await givenPlayer('0.00');
  await betwin([win('s-1', '25.00')]);
  await betwin([bet('s-2', '20.00')]);
  await rollback('s-3', 's-1');
  const read = async (path: string) =>
    (await given.app.inject({ url: `/api/v1/${path}`, headers: owner.headers })).json().data;
  const reversal = { transaction_id: 's-3', kind: 'win_reversal', amount: 5, shortfall: 20 };
  const { transactions } = await read(`user/transactions?player_id=${account_id}`);
  expect(transactions[0]).toMatchObject({ ...reversal, change: -5, balance: 0 });
  expect(transactions[1]).not.toHaveProperty('shortfall');
});

it('the totals of the journal contain the sum of the shortfalls', async () => {
  const { betwin, bet, win, rollback, account_id } = await givenPlayer('0.00');
  const { send } = await giveMember(given, owner, 'member');
  const readTotals = async (query: string) =>
    (await send('GET', `/panel/packages/${owner.id}/journal/totals?player_id=${account_id}&${query}`)).body
      .data;
  await betwin([win('st-1', '25.00'), win('st-2', '5.00')]);
  expect(await readTotals('')).toMatchObject({ shortfall: '0.00' });
  await betwin([bet('st-3', '20.00')]);
  await rollback('st-4', 'st-1');
  await rollback('st-5', 'st-2');
  expect(await readTotals('')).toMatchObject({ shortfall: '20.00', changes: { players: '0.00' } });
  expect(await readTotals('kind=bet')).toMatchObject({ shortfall: '0.00' });
});

it('the feed shows the movements of a connection with their round, game and shortfall', async () => {
  const { betwin, bet, win, rollback, account_id } = await givenPlayer('0.00');
  await betwin([win('f-1', '25.00'), bet('f-2', '20.00')], { round_id: 'round-in-feed' });
  await rollback('f-3', 'f-1');
  const feed = await given.app.inject({ url: '/api/v1/feed?limit=1000', headers: owner.headers });
  const lines = feed
    .json()
    .data.movements.filter((line: { player_id: string }) => line.player_id === account_id);
  const place = { game_id: 'dice', round_id: 'round-in-feed' };
  expect(lines).toMatchObject([
    { kind: 'win', transaction_id: 'f-1', player_change: 25, balance: 25, ...place },
    { kind: 'bet', transaction_id: 'f-2', player_change: -20, balance: 5, ...place },
    { kind: 'win_reversal', transaction_id: 'f-3', player_change: -5, balance: 0, shortfall: 20 },
  ]);
});

it('a round of a connection is found by its id, with its bets and wins', async () => {
  const { betwin, bet, win } = await givenPlayer();
  await betwin([bet('rd-1', '10.00'), win('rd-2', '4.00')], {
    round_id: 'round-of-provider',
    finished: true,
  });
  const answer = await given.app.inject({
    url: '/api/v1/round?round_id=round-of-provider',
    headers: owner.headers,
  });
  expect(answer.json().data).toMatchObject({
    state: 'closed',
    bet_total: 10,
    win_total: 4,
    events: [{ transaction_id: 'rd-1' }, { transaction_id: 'rd-2' }],
  });
});
