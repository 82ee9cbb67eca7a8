// POST /api/v1/game/callback: refusals because of the package, the session or a field move no money.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccount } from '../../src/players/queries.ts';
import { callbackHeaders, createProvider, type Provider } from '../environment/callbacks.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram, type Send } from '../environment/people.ts';
import { expectNonsenseRefused } from './nonsense-callbacks.ts';

let given: Given;
let owner: GivenPackage;
let provider: Provider;
let program: Send;

beforeAll(async () => {
  given = await givenWallet({ AUTH_FAILURES_PER_MINUTE: '0' });
  owner = await given.package({ credit: '100000.00' });
  provider = createProvider(given, owner);
  program = (await giveProgram(given)).send;
});

afterAll(() => given.close());

describe('a package', () => {
  it('a suspended package refuses every bet and bet_win, but accepts the other actions', async () => {
    const held = await given.package();
    const player = await given.player(held, { balance: '10.00' });
    const theirs = createProvider(given, held);
    const of = { player_id: player };
    const bet = { action: 'bet', ...of, transaction_id: 'b', amount: 2, round_id: 'r' };
    expect((await theirs.send(bet)).status).toBe(200);
    await program('POST', `/admin/v1/packages/${held.id}/suspend`);
    await expect.poll(async () => (await theirs.send(bet)).status).toBe(403);
    for (const action of ['bet', 'bet_win']) {
      expect(await theirs.send({ action })).toMatchObject({
        status: 403,
        body: { code: 'package_suspended', package_balance: expect.any(Number) },
      });
    }
    const win = { action: 'win', ...of, transaction_id: 'w', amount: 1 };
    expect((await theirs.send(win)).status).toBe(200);
    const rollback = { action: 'rollback', ...of, transaction_id: 'r' };
    const back = await theirs.send({ ...rollback, reference_transaction_id: 'b' });
    expect(back.body.data.result).toBe('rolled_back');
    expect((await theirs.send({ action: 'end_round', ...of, round_id: 'r' })).status).toBe(200);
    expect((await theirs.send({ action: 'balance', ...of })).body.balance).toBe(11);
    expect((await theirs.send({ action: 'dance', ...of })).body.code).toBe('invalid_parameter');
  });

  it('a pending package refuses every callback with 403', async () => {
    const pending = await given.package({ state: 'pending', credit: '0' });
    const theirs = createProvider(given, pending);
    for (const body of [{ action: 'balance', player_id: 'p' }, {}, 'no json']) {
      expect((await theirs.send(body)).body.code).toBe('package_not_approved');
    }
  });
});

describe('sessions', () => {
  async function giveSession(
    player: string,
    more: { mode?: string; ended?: boolean; minutes?: number; of?: GivenPackage } = {},
  ): Promise<string> {
    const { mode = 'real', ended = false, minutes = 60, of = owner } = more;
    const account = await getAccount(given.db, of.id, player);
    const id = `gs_${player}_${mode}_${ended}_${minutes}`;
    const { now } = given.clock;
    await given.db.query(
      `insert into game_sessions (package_id, id, account_id, game_id, mode, created_at, expires_at,
         ended_at)
       values ($1, $2, $3, 'g', $4, $5, $6, $7)`,
      [of.id, id, account, mode, now, new Date(now.getTime() + minutes * 60_000), ended ? now : null],
    );
    return id;
  }

  it('ended and unknown sessions block new bets, but not repeats, wins and rollbacks', async () => {
    const player = await given.player(owner, { balance: '100.00' });
    const friend = await given.player(owner);
    const other = await given.package();
    const theirs = await given.player(other);
    const good = await giveSession(player);
    const bet = (id: string, session: string | null) =>
      provider.send({
        action: 'bet',
        player_id: player,
        transaction_id: id,
        amount: 1,
        session_id: session,
      });
    expect((await bet('s-none', null)).status).toBe(200);
    expect((await bet('s-good', good)).status).toBe(200);
    const bad = [
      'gs_unknown',
      await giveSession(friend),
      await giveSession(theirs, { of: other }),
      await giveSession(player, { minutes: 0 }),
      await giveSession(player, { ended: true }),
      await giveSession(player, { mode: 'demo' }),
    ];
    for (const [i, session] of bad.entries()) {
      expect(await bet(`s-bad-${i}`, session)).toMatchObject({
        status: 403,
        body: { code: 'session_expired', data: { balance: 98 } },
      });
      const won = { action: 'win', player_id: player, transaction_id: `s-win-${i}`, amount: 0 };
      expect((await provider.send({ ...won, session_id: session })).status).toBe(200);
    }
    await given.db.query('update game_sessions set ended_at = $1', [given.clock.now]);
    expect((await bet('s-late', good)).body.code).toBe('session_expired');
    expect((await bet('s-good', good)).body.data).toMatchObject({ duplicate: true, balance: 98 });
    const back = { action: 'rollback', player_id: player, transaction_id: 's-back' };
    const undone = await provider.send({
      ...back,
      reference_transaction_id: 's-good',
      session_id: good,
    });
    expect(undone.body.data.result).toBe('rolled_back');
  });
});

describe('the order of refusals', () => {
  it('errors come in this order: authentication, content type, body, fields, player, money', async () => {
    const player = await given.player(owner, { balance: '1.00' });
    const good = { action: 'bet', player_id: player, transaction_id: 'order', amount: 5 };
    const inject = (payload: string, headers: Record<string, string>) =>
      given.app.inject({ method: 'POST', url: '/api/v1/game/callback', headers, payload });
    const codes = [
      await inject('{', { 'content-type': 'text/html' }),
      await inject('{', { ...callbackHeaders(owner), 'content-type': 'text/html' }),
      await inject('{', callbackHeaders(owner)),
      await inject('"\xff"', callbackHeaders(owner)),
      await inject(JSON.stringify({ ...good, amount: [], player_id: '' }), callbackHeaders(owner)),
      await inject(JSON.stringify({ ...good, amount: [], player_id: 'x' }), callbackHeaders(owner)),
      await inject(JSON.stringify({ ...good, currency: 'USD' }), callbackHeaders(owner)),
      await inject(JSON.stringify({ ...good, player_id: 'x' }), callbackHeaders(owner)),
      await inject(JSON.stringify(good), callbackHeaders(owner)),
    ].map((answer) => answer.json().code);
    expect(codes).toEqual([
      'auth_missing',
      'unsupported_media_type',
      'invalid_body',
      'invalid_body',
      'invalid_parameter',
      'invalid_amount',
      'currency_mismatch',
      'player_not_found',
      'insufficient_funds',
    ]);
    const read = await given.app.inject({ url: '/api/v1/game/callback' });
    expect([read.statusCode, read.headers.allow]).toEqual([405, 'POST']);
    const large = await inject(`{"a":"${'x'.repeat(70_000)}"}`, callbackHeaders(owner));
    expect(large.json().code).toBe('body_too_large');
  });

  it.each([
    [{ action: 'bet' }, ['transaction_id']],
    [{ action: 'bet', transaction_id: 't' }, ['amount']],
    [{ action: 'win', transaction_id: 't', amount: null }, ['amount']],
    [{ action: 'bet_win', transaction_id: 't', bet_amount: 1 }, ['win_amount']],
    [{ action: 'end_round' }, ['round_id']],
    [{ action: 'bet', transaction_id: 7, amount: 1 }, ['transaction_id']],
    [{ action: 'bet', transaction_id: 't'.repeat(129), amount: 1 }, ['transaction_id']],
    [{ action: 'bet', transaction_id: 'a\u0000b', amount: 1 }, ['transaction_id']],
    [{ action: 'bet', transaction_id: '\ud800', amount: 1 }, ['transaction_id']],
    [{ action: 'BET', transaction_id: 't', amount: 1 }, ['action']],
    [{ action: 'bet', transaction_id: 't', amount: 1, round_finished: 'yes' }, ['round_finished']],
  ])('the refusal of %j names the missing or invalid fields', async (body, fields) => {
    const player = await given.player(owner, { balance: '1.00' });
    const answer = await provider.send({ player_id: player, ...body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(answer.body.errors)).toEqual(fields);
  });
});

it('callbacks with nonsensical bodies cause no 5xx and move no money', async () => {
  const player = await given.player(owner, { balance: '10.00' });
  await expectNonsenseRefused(provider, player, 400);
});

it('each package has its own players, ids and rounds', async () => {
  const player = await given.player(owner, { balance: '10.00' });
  const bet = {
    action: 'bet',
    player_id: player,
    transaction_id: 'twin',
    amount: 1,
    round_id: 't',
  };
  expect((await provider.send(bet)).status).toBe(200);
  const other = await given.package();
  const stranger = createProvider(given, other);
  expect((await stranger.send(bet)).body.code).toBe('player_not_found');
  await given.player(other, { playerId: player, balance: '10.00' });
  expect((await stranger.send(bet)).body.data).toMatchObject({ duplicate: false, balance: 9 });
  const back = { action: 'rollback', player_id: player, transaction_id: 'twin-back' };
  await stranger.send({ ...back, reference_transaction_id: 'twin' });
  expect(await provider.balance(player)).toBe(9);
});

it('a sandbox has its own players, ids and rounds, and shows nothing of the real package', async () => {
  const made = await program('POST', `/admin/v1/packages/${owner.id}/sandbox`);
  const { package: sandbox, credentials } = made.body.data;
  const { api_key: apiKey, api_secret: apiSecret } = credentials.callback;
  const headers = { 'x-uid': sandbox.uid, 'x-api-key': apiKey, 'x-api-secret': apiSecret };
  const player = await given.player(owner, { balance: '10.00' });
  const ask = { action: 'balance', player_id: player };
  expect((await provider.send(ask, headers)).body.code).toBe('player_not_found');
  const bet = {
    action: 'bet',
    player_id: player,
    transaction_id: 'sand',
    amount: 1,
    round_id: 's',
  };
  expect((await provider.send(bet)).body.data.balance).toBe(9);
  const asCaller = {
    'x-uid': sandbox.uid,
    'x-api-key': credentials.caller.api_key,
    'x-api-secret': credentials.caller.api_secret,
  };
  const call = async (url: string, payload?: object) =>
    given.app.inject({
      method: payload ? 'POST' : 'GET',
      url: `/api/v1/${url}`,
      headers: asCaller,
      ...(payload && { payload }),
    });
  expect((await call('user/create', { player_id: player })).statusCode).toBe(201);
  expect((await call('round?round_id=s')).json().code).toBe('round_not_found');
  const transfer = { player_id: player, type: 'credit', amount: 5, transaction_id: 'sand' };
  expect((await call('user/update_balance', transfer)).statusCode).toBe(200);
  const played = await provider.send(bet, headers);
  expect(played.body.data).toMatchObject({ duplicate: false, balance: 4 });
  expect((await call('round?round_id=s')).json().data.events).toHaveLength(1);
  expect(await provider.balance(player)).toBe(9);
  // The keys of the package are not valid for its sandbox.
  const mixed = await provider.send(bet, { 'x-uid': sandbox.uid });
  expect([mixed.status, mixed.body.code]).toEqual([401, 'auth_invalid']);
});
