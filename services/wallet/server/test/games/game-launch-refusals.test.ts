// POST /api/v1/game/launch and POST /api/v1/game/session/end: accepted and refused requests.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';

let provider: Provider;
let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  provider = await givenProvider();
  provider.games = {
    private: [
      ...gamesNamed('moon'),
      { id: 'closed', name: 'Closed', status: 'disabled', has_demo: true },
      { id: 'resting', name: 'Resting', status: 'maintenance' },
      { id: 'no-demo', name: 'No demo', status: 'active', has_demo: false },
      { id: 'no-status', name: 'No Status' },
    ],
    public: [],
  };
  given = await givenWallet(provider.env, { breaker: { failures: 1000, restMs: 60_000 } });
  owner = await given.package({ domains: ['test.example', '*.shop.example'] });
  await given.player(owner, { playerId: 'p-1', balance: '5.00' });
  await given.player(owner, { playerId: 'barred', status: 'blocked' });
});
beforeEach(() => {
  provider.faults = {};
  provider.drainCalls();
});
afterAll(async () => {
  await given.close();
  await provider.close();
});

const post = async (path: string, payload: object, by = owner) => {
  const url = `/api/v1/game/${path}`;
  const answer = await given.app.inject({ method: 'POST', url, headers: by.headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const launch = (body: object, by = owner) =>
  post('launch', { player_id: 'p-1', game_id: 'moon', ...body }, by);

describe('a refused launch', () => {
  it.each([
    ['an unknown player', { player_id: 'nobody' }, 404, 'player_not_found'],
    ['a blocked player', { player_id: 'barred' }, 403, 'player_blocked'],
    ['an unknown game', { game_id: 'nothing' }, 404, 'game_not_found'],
    ['a disabled game', { game_id: 'closed' }, 403, 'game_unavailable'],
    ['a game under maintenance', { game_id: 'resting' }, 403, 'game_unavailable'],
    ['a demo of a game that has no demo', { game_id: 'no-demo', mode: 'demo' }, 403, 'game_unavailable'],
    ['a demo of a game without a status', { game_id: 'no-status', mode: 'demo' }, 403, 'game_unavailable'],
    ['a currency that is not the package’s', { currency: 'USD' }, 400, 'currency_mismatch'],
    ['an unknown mode', { mode: 'fun' }, 400, 'invalid_parameter'],
    ['an unknown platform', { platform: 'fridge' }, 400, 'invalid_parameter'],
    ['an invalid language', { language: 'e' }, 400, 'invalid_parameter'],
    ['no game', { game_id: null }, 400, 'invalid_parameter'],
    ['a player_id that is a number', { player_id: 7 }, 400, 'invalid_parameter'],
    ['a lone surrogate in game_id', { game_id: '\ud800' }, 400, 'invalid_parameter'],
  ])('a launch is refused: %s', async (_title, body, status, code) => {
    const answer = await launch(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body).toHaveProperty('package_balance');
    expect(provider.drainCalls()).not.toContain('private/launch');
  });

  it.each([
    'https://evil.example/',
    'https://test.example.evil.example/',
    'https://eviltest.example/',
    'https://test.example@evil.example/',
    'https://evil.example\\@test.example/',
    'https://evil.example#@test.example/',
    'https://shop.example/',
    'javascript://test.example/%0aalert(1)',
    'ftp://test.example/',
    '//test.example/',
    'test.example',
    'https:test.example',
    'https://test.example:443:1/',
    'https://test.example/a b',
    'https://test.example/\n',
    'https://test.example./',
    'https://user:word@test.example/',
    'https:\\\\test.example\\',
    '',
    `https://test.example/${'x'.repeat(2048)}`,
  ])('a launch with an invalid or foreign return_url is refused: %j', async (url) => {
    const { status, body } = await launch({ return_url: url });
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(body.errors)).toEqual(['return_url']);
  });

  it.each([
    ['pending', 'package_not_approved'],
    ['suspended', 'package_suspended'],
  ] as const)('a launch for a %s package is refused', async (state, code) => {
    const other = await given.package({ state });
    const { status, body } = await launch({}, other);
    expect([status, body.code]).toEqual([403, code]);
  });

  it('a player of another package gets the same refusal as an unknown player', async () => {
    const { status, body } = await launch({}, await given.package());
    expect([status, body.code]).toEqual([404, 'player_not_found']);
  });
});

describe('a successful launch', () => {
  it.each([
    ['https://test.example/'],
    ['http://TEST.example:8080/lobby?a=b#c'],
    ['https://a.shop.example/'],
    [null],
  ])('a launch with the return_url %j succeeds', async (url) => {
    expect((await launch({ return_url: url })).status).toBe(200);
  });

  it('a launch in demo mode succeeds if the game has a demo', async () => {
    const { body } = await launch({ mode: 'demo' });
    expect(body.data.mode).toBe('demo');
    expect(provider.calls.at(-1)?.body).toMatchObject({ mode: 'demo' });
  });

  it('a launch of a game without a status succeeds', async () => {
    expect((await launch({ game_id: 'no-status' })).status).toBe(200);
  });

  it('a new game can be launched as soon as the cached catalogue is older than 5 s', async () => {
    provider.games = {
      ...provider.games,
      private: [...(provider.games.private as []), ...gamesNamed('new')],
    };
    given.clock.now = new Date(given.clock.now.getTime() + 6000);
    expect((await launch({ game_id: 'new' })).status).toBe(200);
  });

  it('a launch uses the last stored catalogue while no source answers', async () => {
    provider.faults = { 'private/games': 'failing', 'public/games': 'failing' };
    given.clock.now = new Date(given.clock.now.getTime() + 60_000);
    expect((await launch({})).status).toBe(200);
    expect((await launch({ game_id: 'nothing' })).body.code).toBe('game_not_found');
  });

  it('a game of the stored private list can be launched while only the public source answers', async () => {
    provider.games = { ...provider.games, public: gamesNamed('known-to-all', 'closed') };
    const later = () => {
      given.clock.now = new Date(given.clock.now.getTime() + 60_000);
    };
    later();
    expect((await launch({})).status).toBe(200);
    provider.faults = { 'private/games': 'failing' };
    later();
    expect((await launch({ game_id: 'known-to-all' })).status).toBe(200);
    expect((await launch({})).status).toBe(200);
    provider.faults = { 'private/games': 'failing', 'private/launch': 'failing' };
    expect((await launch({})).body.code).toBe('upstream_unavailable');
    // The private list takes precedence over the public list.
    expect((await launch({ game_id: 'closed' })).body.code).toBe('game_unavailable');
    expect((await launch({ game_id: 'nothing' })).body.code).toBe('game_not_found');
  });
});

describe('POST /api/v1/game/session/end', () => {
  const open = async () => (await launch({})).body.data.session_id as string;

  it('a session ends once, and a repeat returns the time of the first end', async () => {
    const sessionId = await open();
    const first = await post('session/end', { session_id: sessionId });
    const endedAt = given.clock.now.toISOString();
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      session_id: sessionId,
      player_id: 'p-1',
      state: 'ended',
      ended_at: endedAt,
    });
    given.clock.now = new Date(given.clock.now.getTime() + 1000);
    const second = await post('session/end', { session_id: sessionId });
    expect([second.status, second.body.data.ended_at]).toEqual([200, endedAt]);
  });

  it('a session of another package is answered exactly like an unknown session', async () => {
    const sessionId = await open();
    const other = await given.package();
    const foreign = await post('session/end', { session_id: sessionId }, other);
    const unknown = await post('session/end', { session_id: `gs_${'x'.repeat(32)}` }, other);
    const plain = ({ status, body }: typeof foreign) => ({ status, ...body, request_id: '' });
    expect(plain(foreign)).toEqual(plain(unknown));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'session_not_found']);
    const shapeless = await post('session/end', { session_id: 'never one of ours' }, other);
    expect(plain(shapeless)).toEqual(plain(unknown));
    const still = await post('session/end', { session_id: sessionId });
    expect(still.status).toBe(200);
  });

  it.each([[{}], [{ session_id: 7 }], [{ session_id: '' }], [{ session_id: 'gs_\u0000' }]])(
    'game/session/end refuses the body %j',
    async (body) => {
      const answer = await post('session/end', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    },
  );
});
