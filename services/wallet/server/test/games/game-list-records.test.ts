// GET /api/v1/game/list: records, filters, pages, ETags and refusals.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';

let provider: Provider;
let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet(provider.env, { breaker: { failures: 1000, restMs: 60_000 } });
  owner = await given.package();
});
beforeEach(() => {
  given.clock.now = new Date(given.clock.now.getTime() + 3_600_000);
});
afterAll(async () => {
  await given.close();
  await provider.close();
});

const list = async (query = '', headers: Record<string, string> = {}) => {
  const url = `/api/v1/game/list${query}`;
  const answer = await given.app.inject({ url, headers: { ...owner.headers, ...headers } });
  return { answer, status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
};
const idsOf = (body: { data: { games: { game_id: string }[] } }) =>
  body.data.games.map((game) => game.game_id);
/**
 * Changes the lists of the provider. Sets the accepted size of the stored lists to 0, so that the service
 * accepts lists of any size.
 */
const say = async (games: unknown) => {
  await given.db.query('update catalogue_copies set accepted_total = 0');
  provider.games = { private: games, public: games };
};

const full = {
  id: 'moon-harvest',
  name: 'Moon Harvest',
  provider: 'Counterfoil Studio',
  category: 'slots',
  image: 'https://cdn.example/moon.svg',
  images: { square: 'https://cdn.example/square.svg' },
  rtp: 96.2,
  volatility: 'medium',
  has_demo: true,
  platforms: ['desktop', 'mobile'],
  status: 'active',
};

describe('a game in the list', () => {
  it('a game in the list is returned with all its fields', async () => {
    await say([full]);
    const { id, name, ...rest } = full;
    const { body } = await list();
    expect(body.data.games).toEqual([{ game_id: id, game_name: name, ...rest }]);
  });

  it('a game in the list has null in place of unknown and invalid fields', async () => {
    const nonsense = {
      provider: 7,
      category: '\u0000',
      image: 'javascript:alert(1)',
      images: { square: 'ftp://x/', 'a b': 'https://x/' },
      rtp: '96',
      volatility: ['high'],
      has_demo: 'yes',
      platforms: 'all',
      status: 'retired',
    };
    await say([
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B', ...nonsense },
    ]);
    const { body } = await list();
    const nothing = Object.fromEntries(Object.keys(nonsense).map((field) => [field, null]));
    expect(body.data.games).toEqual([
      { game_id: 'a', game_name: 'A', ...nothing },
      { game_id: 'b', game_name: 'B', ...nothing },
    ]);
  });

  it.each([
    ['no id', { name: 'X' }],
    ['no name', { id: 'x' }],
    ['a number as its id', { id: 7, name: 'X' }],
    ['a lone surrogate in its id', { id: '\ud800', name: 'X' }],
    ['a control character in its name', { id: 'x', name: 'X\n' }],
    ['an id of 129 characters', { id: 'x'.repeat(129), name: 'X' }],
    ['the value null', null],
  ])('a game with %s is left out', async (_title, record) => {
    await say([record, ...gamesNamed('kept')]);
    expect(idsOf((await list()).body)).toEqual(['kept']);
  });

  it('a game that is listed twice is returned once', async () => {
    await say([...gamesNamed('a', 'b'), { id: 'a', name: 'Another' }]);
    const { body } = await list();
    expect(idsOf(body)).toEqual(['a', 'b']);
    expect(body.data.games[0].game_name).toBe('Game a');
  });
});

it('a list of 20,000 games is accepted, and a longer list counts as a failure of its source', async () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `game-${String(i).padStart(5, '0')}`);
  await say(gamesNamed(...ids));
  const { body } = await list();
  expect([body.data.source, body.data.total]).toEqual(['private', 20_000]);
  expect(idsOf(body)).toEqual(ids);
  given.clock.now = new Date(given.clock.now.getTime() + 6000);
  provider.games = { ...provider.games, private: gamesNamed(...ids, 'one-more') };
  expect((await list('?limit=1')).body.data.source).toBe('public');
});

describe('filters and pages of the list of games', () => {
  const games = [
    { id: 'c', name: 'Cold Moon', provider: 'North', category: 'slots' },
    { id: 'a', name: 'Aces', provider: 'North', category: 'table' },
    { id: 'd', name: 'Dunes', provider: 'South', category: 'slots' },
    { id: 'b', name: 'Blue moon', provider: 'South', category: null },
  ];

  it.each([
    ['', ['a', 'b', 'c', 'd']],
    ['?provider=north', ['a', 'c']],
    ['?category=SLOTS', ['c', 'd']],
    ['?provider=North&category=slots', ['c']],
    ['?search=MOON', ['b', 'c']],
    ['?search=nothing', []],
    ['?provider=Nor', []],
  ])('the query "%s" lists the games %j', async (query, ids) => {
    await say(games);
    const { body } = await list(query);
    expect(idsOf(body)).toEqual(ids);
    expect(body.data.total).toBe(ids.length);
  });

  it('pages list each remaining game once, even if the list changes between two pages', async () => {
    await say(games);
    const first = (await list('?limit=2')).body;
    expect([idsOf(first), first.data.total]).toEqual([['a', 'b'], 4]);
    await say([...games.filter(({ id }) => id !== 'b'), { id: 'aa', name: 'New' }]);
    given.clock.now = new Date(given.clock.now.getTime() + 6000);
    const second = (await list(`?limit=2&cursor=${first.data.next_cursor}`)).body;
    expect(idsOf(second)).toEqual(['c', 'd']);
    expect(second.data.next_cursor).toBeNull();
  });

  it.each([
    ['limit', '?limit=0'],
    ['limit', '?limit=1001'],
    ['limit', '?limit=-1'],
    ['limit', '?limit=2.5'],
    ['cursor', '?cursor=!'],
    ['cursor', `?cursor=${Buffer.from('players:a').toString('base64url')}`],
    ['cursor', `?cursor=${Buffer.from('games:a').toString('base64url')}=`],
    ['provider', '?provider='],
    ['search', '?search=%00'],
    ['search', '?search=a&search=b'],
  ])('an invalid value of %s is refused: %s', async (field, query) => {
    await say(games);
    const { status, body } = await list(query);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
});

describe('the ETag of the list of games', () => {
  it('a request with the ETag gets 304 until a game changes, and then 200 with the list', async () => {
    await say(gamesNamed('a'));
    const { answer } = await list();
    const etag = String(answer.headers.etag);
    expect(etag).toMatch(/^W\/"/);
    given.clock.now = new Date(given.clock.now.getTime() + 6000);
    const again = await list('', { 'if-none-match': etag });
    expect([again.status, again.answer.body]).toEqual([304, '']);
    expect(again.answer.headers.etag).toBe(etag);
    expect((await list('?limit=1', { 'if-none-match': etag })).status).toBe(200);
    await say(gamesNamed('b'));
    given.clock.now = new Date(given.clock.now.getTime() + 6000);
    expect((await list('', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('the answer with the list of games', () => {
  it('the answer has a content-length, has no body for HEAD, and is counted in the metrics', async () => {
    await say(gamesNamed('a', 'ä', '鬼'));
    const { answer } = await list();
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toBe(answer.json().request_id);
    const url = '/api/v1/game/list';
    const head = await given.app.inject({ method: 'HEAD', url, headers: owner.headers });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const metrics = (await given.app.inject({ url: '/metrics' })).body;
    expect(metrics).toMatch(/http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/game\/list"/);
    expect(metrics).toMatch(
      /upstream_calls_total\{(?=[^}]*source="private_catalogue")(?=[^}]*outcome="success")/,
    );
  });

  it('the answer arrives complete for several requests in a row', async () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `game-${String(i).padStart(4, '0')}`);
    await say(gamesNamed(...ids));
    const address = await given.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `${address}/api/v1/game/list`;
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(url, { method, headers: owner.headers });
      const text = await answer.text();
      expect(answer.status).toBe(200);
      if (method === 'HEAD') expect(text).toBe('');
      else expect(idsOf(JSON.parse(text))).toEqual(ids);
    }
  });

  it('the list is refused without authentication, and is given to a suspended package', async () => {
    const nobody = await given.app.inject({ url: '/api/v1/game/list' });
    expect([nobody.statusCode, nobody.json().code]).toEqual([401, 'auth_missing']);
    expect(nobody.headers['www-authenticate']).toBe('ApiKey realm="wallet"');
    const suspended = await given.package({ state: 'suspended' });
    const url = '/api/v1/game/list';
    const answer = await given.app.inject({ url, headers: suspended.headers });
    expect(answer.statusCode).toBe(200);
  });
});
