// Connections as sources of games: the merged list, launches, and sources that fail.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { giveConnection } from '../environment/connections.ts';
import { type GameProvider, giveGameProvider, type SourceDialect } from '../environment/game-provider.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveAdministrator, openSecondApp } from '../environment/people.ts';
import { gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';

const dialects = ['softswiss', 'hub88', 'slotegrator'] as const;
const limits = { breaker: { failures: 1000, restMs: 60_000 } };

let main: Provider;
let given: Given;

beforeAll(async () => {
  main = await givenProvider();
  given = await givenWallet({ ...main.env, WEBHOOK_LOCAL_ADDRESSES: 'on' }, limits);
});
beforeEach(() => {
  main.faults = {};
  main.games = { private: gamesNamed('a', 'z'), public: gamesNamed('a') };
  pass(6);
});
afterAll(async () => {
  await given.close();
  await main.close();
});

const pass = (seconds: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + seconds * 1000);
};

/** Advances the clock by more than the time for which the list of a connection is current. */
const passLong = () => pass(301);

interface Listed {
  readonly ids: string[];
  readonly games: Record<string, unknown>[];
  readonly sources: { source: string; state: string; total: number }[] | undefined;
  readonly source: string;
}

async function list(owner: GivenPackage, app = given.app, query = ''): Promise<Listed> {
  const answer = await app.inject({ url: `/api/v1/game/list${query}`, headers: owner.headers });
  expect(answer.statusCode, answer.body).toBe(200);
  const { games, sources, source } = answer.json().data;
  return { ids: games.map((game: { game_id: string }) => game.game_id), games, sources, source };
}

const launch = (owner: GivenPackage, payload: object, app = given.app) =>
  app.inject({ method: 'POST', url: '/api/v1/game/launch', headers: owner.headers, payload });

/** Creates a package with a connection to a new provider, which only this test uses. */
async function giveSource(dialect: SourceDialect, games = ['m', 'n', 'o'], more: object = {}) {
  const owner = await given.package();
  const provider = await giveGameProvider(dialect, games);
  onTestFinished(() => provider.close());
  const { id } = await connect(owner, provider, { gamePrefix: 'p-', ...more });
  return { owner, provider, id };
}

async function connect(owner: GivenPackage, provider: GameProvider, more: object) {
  const { dialect, secrets, url: upstreamUrl } = provider;
  const connection = await giveConnection(given, owner, { dialect, secrets, upstreamUrl, ...more });
  // The service learns of the new connection through a notification, which may take a moment.
  await eventually(async () => {
    const { sources = [] } = await list(owner);
    expect(sources.map(({ source }) => source)).toContain(connection.id);
  });
  return connection;
}

/** Waits until the service has stored its copy of the list. The service answers before it stores the copy. */
const untilStored = ({ id: packageId }: GivenPackage, id: string) =>
  eventually(async () => {
    const { rowCount } = await given.db.query(
      'select 1 from connection_catalogues where package_id = $1 and connection_id = $2',
      [packageId, id],
    );
    expect(rowCount).toBe(1);
  });

/** Opens another app on the same database, which has the same effect as a restart. */
async function restart(limits: Parameters<typeof openSecondApp>[1] = {}): Promise<Given['app']> {
  const second = await openSecondApp(given, limits);
  onTestFinished(second.close);
  return second.app;
}

async function expectStale(owner: GivenPackage, app: Given['app'], id: string): Promise<void> {
  const { ids, sources } = await list(owner, app);
  expect(ids).toContain('p-n');
  expect(sources).toMatchObject([{ source: id, state: 'stale', total: 3 }]);
}

describe.each(dialects)('games of a connection in the dialect %s', (dialect) => {
  it('the list contains the games with the prefix and the id of the connection', async () => {
    const { owner, provider, id } = await giveSource(dialect);
    const { ids, games, sources } = await list(owner);
    expect(ids).toEqual(['a', 'p-m', 'p-n', 'p-o', 'z']);
    expect(games.map((game) => game.source)).toEqual([undefined, id, id, id, undefined]);
    expect(games[1]).toMatchObject({ game_id: 'p-m', game_name: 'Game m' });
    expect(sources).toMatchObject([{ source: id, state: 'current', total: 3 }]);
    expect(provider.calls.every(({ isSigned }) => isSigned)).toBe(true);
    expect((await list(owner, given.app, '?search=p-n')).ids).toEqual(['p-n']);
    expect((await list(owner, given.app, '?limit=2')).ids).toEqual(['a', 'p-m']);
  });

  it('a launch goes to the provider, and the game session belongs to the connection', async () => {
    const { owner, provider, id } = await giveSource(dialect);
    const player_id = await given.player(owner);
    main.drainCalls();
    const answer = await launch(owner, { player_id, game_id: 'p-n' });
    expect([answer.statusCode, answer.json().data.launch_url]).toEqual([200, provider.launchUrl]);
    expect(main.drainCalls()).toEqual([]);
    const call = provider.calls.findLast(({ kind }) => kind === 'launch');
    expect(call?.isSigned).toBe(true);
    expect(JSON.stringify(call?.fields)).toContain(player_id);
    expect(JSON.stringify(call?.fields)).toContain(answer.json().data.session_id);
    expect(Object.values(call?.fields ?? {})).toContain('n');
    const { rows } = await given.db.query(
      'select connection_id, source from game_sessions where package_id = $1 and id = $2',
      [owner.id, answer.json().data.session_id],
    );
    expect(rows).toEqual([{ connection_id: id, source: 'private' }]);
  });

  it('a game of the configured upstream is still launched by the upstream', async () => {
    const { owner, provider } = await giveSource(dialect);
    const player_id = await given.player(owner);
    main.drainCalls();
    expect((await launch(owner, { player_id, game_id: 'a' })).statusCode).toBe(200);
    expect(main.drainCalls()).toContain('private/launch');
    expect(provider.calls.filter(({ kind }) => kind === 'launch')).toEqual([]);
  });
});

/**
 * These tests use only one dialect, because all dialects share the code that handles faults of a provider.
 * The `outward.test.ts` of each dialect tests the contents of answers.
 */
describe('a connection whose provider fails', () => {
  const dialect = 'softswiss';

  it.each([
    ['does not answer', 'stalled' as const],
    ['refuses connections', 'refused' as const],
    ['redirects', { status: 302, headers: { location: '/games' }, body: {} }],
    ['answers with HTML', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' }],
    ['sends invalid JSON', { status: 200, body: '{"games":[' }],
    ['sends other content', { status: 200, body: { games: 7, items: 'many' } }],
    ['sends no games', { status: 200, body: { games: [], items: [] } }],
    ['sends more than 8 MiB', { status: 200, body: { games: 'x'.repeat(9 * 1024 * 1024) } }],
    ['fails', { status: 503, body: {} }],
  ])('the list contains the last stored copy if the provider %s', async (_name, fault) => {
    const { owner, provider, id } = await giveSource(dialect);
    await untilStored(owner, id);
    provider.faults = { list: fault };
    passLong();
    // The app of this suite has long time limits. A second app has a limit that is short enough for a test.
    const app =
      fault === 'stalled' ? await restart({ catalogueMs: { private: 100, public: 60_000 } }) : given.app;
    await expectStale(owner, app, id);
  });

  it('while the provider fails, the list contains the last stored copy even after a restart', async () => {
    const { owner, provider, id } = await giveSource(dialect);
    await untilStored(owner, id);
    provider.faults = { list: { status: 503, body: {} } };
    passLong();
    await expectStale(owner, await restart(), id);
  });

  it.each([
    ['refuses connections', 'refused' as const, 503],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1/' }, body: {} }, 503],
    ['sends no URL', { status: 200, body: {} }, 503],
    [
      'sends a URL of another host',
      { status: 200, body: { url: 'https://evil.example/', launch_url: 'https://evil.example/' } },
      503,
    ],
    ['sends a script', { status: 200, body: { url: 'javascript:1', launch_url: 'javascript:1' } }, 503],
  ])('a launch is answered with an error if the provider %s', async (_name, fault, status) => {
    const { owner, provider } = await giveSource(dialect);
    const player_id = await given.player(owner);
    provider.faults = { launch: fault };
    const answer = await launch(owner, { player_id, game_id: 'p-n' });
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toContain('evil');
  });
});

describe('the games of a connection', () => {
  it('the games of a connection are not listed or launched for another package', async () => {
    await giveSource('softswiss');
    const other = await given.package();
    expect(await list(other)).toMatchObject({ ids: ['a', 'z'], sources: undefined });
    const player_id = await given.player(other);
    const answer = await launch(other, { player_id, game_id: 'p-m' });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'game_not_found']);
  });

  it('the games of a connection are not listed if its provider fails and has never answered', async () => {
    const owner = await given.package();
    const provider = await giveGameProvider('hub88', ['m']);
    onTestFinished(() => provider.close());
    provider.faults = { list: 'refused' };
    const { id } = await connect(owner, provider, {});
    expect(await list(owner)).toMatchObject({
      ids: ['a', 'z'],
      sources: [{ source: id, state: 'unavailable', total: 0 }],
    });
    provider.faults = {};
    expect((await list(owner)).ids).toEqual(['a', 'm', 'z']);
  });

  it('the games of a connection are listed while the configured upstream fails', async () => {
    const { owner, id } = await giveSource('softswiss');
    await given.db.query('delete from catalogue_copies');
    main.faults = { 'private/games': 'failing', 'public/games': 'failing' };
    const second = await openSecondApp(given);
    onTestFinished(second.close);
    const listed = await list(owner, second.app);
    expect(listed).toMatchObject({ ids: ['p-m', 'p-n', 'p-o'], source: 'stale' });
    expect(listed.sources).toMatchObject([{ source: id, state: 'current' }]);
  });

  it('games come from all connections; of two sources with the same game id, the first is used', async () => {
    const { owner, provider, id } = await giveSource('softswiss', ['m', 'same'], { gamePrefix: '' });
    const other = await giveGameProvider('slotegrator', ['same', 'x', 'a']);
    onTestFinished(() => other.close());
    const { id: otherId } = await connect(owner, other, { gamePrefix: '' });
    const { ids, games } = await list(owner);
    expect(ids).toEqual(['a', 'm', 'same', 'x', 'z']);
    expect(games.map((game) => game.source)).toEqual([undefined, id, id, otherId, undefined]);
    const player_id = await given.player(owner);
    for (const [game_id, launchUrl] of [
      ['same', provider.launchUrl],
      ['x', other.launchUrl],
    ]) {
      const answer = await launch(owner, { player_id, game_id });
      expect(answer.json().data.launch_url).toBe(launchUrl);
    }
  });

  it('the games of a connection are not listed while the connection is paused', async () => {
    const { owner, id } = await giveSource('hub88');
    await given.db.query(
      `update provider_connections set state = 'paused' where package_id = $1 and id = $2`,
      [owner.id, id],
    );
    const second = await openSecondApp(given);
    onTestFinished(second.close);
    expect(await list(owner, second.app)).toMatchObject({ ids: ['a', 'z'], sources: undefined });
  });

  it('a new prefix keeps the stored copy in use, but a new upstream URL makes it unusable', async () => {
    const { owner, provider, id } = await giveSource('softswiss');
    await untilStored(owner, id);
    provider.faults = { list: 'refused' };
    const change = async (column: 'game_prefix' | 'upstream_url', value: string) => {
      await given.db.query(
        `update provider_connections set ${column} = $3 where package_id = $1 and id = $2`,
        [owner.id, id, value],
      );
      const second = await openSecondApp(given);
      onTestFinished(second.close);
      return list(owner, second.app);
    };
    expect((await change('game_prefix', 'q-')).ids).toEqual(['a', 'q-m', 'q-n', 'q-o', 'z']);
    const moved = await change('upstream_url', `${provider.url}/other`);
    expect(moved).toMatchObject({ ids: ['a', 'z'], sources: [{ state: 'unavailable' }] });
  });

  it('a launch in demo mode is refused if the list says that the game has no demo', async () => {
    const { owner } = await giveSource('hub88');
    const player_id = await given.player(owner);
    const answer = await launch(owner, { player_id, game_id: 'p-m', mode: 'demo' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'game_unavailable']);
  });

  it('a game that is not in the list cannot be launched', async () => {
    const { owner } = await giveSource('softswiss');
    const player_id = await given.player(owner);
    const answer = await launch(owner, { player_id, game_id: 'p-unknown' });
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'game_not_found']);
  });
});

describe('requests to a provider', () => {
  it('each page of the list is requested once while the list is current', async () => {
    const { owner, provider } = await giveSource('slotegrator', ['m', 'n', 'o', 'q', 'r']);
    await list(owner);
    const pages = provider.calls.map(({ fields }) => fields.page);
    expect(pages).toEqual(['1', '2', '3']);
    expect((await list(owner)).ids).toEqual(['a', 'p-m', 'p-n', 'p-o', 'p-q', 'p-r', 'z']);
  });

  it('requests for a list stop after 400 pages', async () => {
    const { owner, provider, id } = await giveSource('slotegrator', ['m']);
    provider.games = Array.from({ length: 900 }, (_, at) => `g-${at}`);
    passLong();
    expect((await list(owner)).sources).toMatchObject([{ source: id, state: 'stale', total: 1 }]);
  });

  it('no request is sent while the breaker is open; other connections are not affected', async () => {
    const { owner, provider, id } = await giveSource('softswiss');
    await untilStored(owner, id);
    const other = await giveGameProvider('hub88', ['h']);
    onTestFinished(() => other.close());
    await connect(owner, other, { gamePrefix: 'h-' });
    provider.faults = { list: { status: 500, body: {} } };
    const second = await openSecondApp(given, { breaker: { failures: 2, restMs: 600_000 } });
    onTestFinished(second.close);
    provider.calls.length = 0;
    passLong();
    for (let i = 0; i < 4; i++) {
      const { sources } = await list(owner, second.app);
      expect(sources).toMatchObject([{ state: 'stale' }, { state: 'current' }]);
    }
    expect(provider.calls).toHaveLength(2);
  });

  it('requests are not sent to private addresses unless the service allows private addresses', async () => {
    const strict = await givenWallet(main.env, limits);
    onTestFinished(strict.close);
    const owner = await strict.package();
    const provider = await giveGameProvider('softswiss', ['m']);
    onTestFinished(() => provider.close());
    const { dialect, secrets, url: upstreamUrl } = provider;
    await giveConnection(strict, owner, { dialect, secrets, upstreamUrl });
    const named = upstreamUrl.replace('127.0.0.1', 'localhost').replace('http:', 'https:');
    await giveConnection(strict, owner, { dialect, secrets, upstreamUrl: named });
    await eventually(async () => {
      const { sources } = await list(owner, strict.app);
      expect(sources?.map(({ state }) => state)).toEqual(['unavailable', 'unavailable']);
    });
    expect(provider.calls).toEqual([]);
  });
});

describe('the health of a connection', () => {
  const readHealth = async ({ id }: GivenPackage, app = given.app) => {
    const { send } = await giveAdministrator({ ...given, app });
    const { status, body } = await send('GET', `/panel/admin/packages/${id}/game-sources`);
    expect(status).toBe(200);
    return body.data.sources;
  };

  it('the health of a connection shows the list, the last success and the last failure', async () => {
    const { owner, provider, id } = await giveSource('softswiss');
    await list(owner);
    expect(await readHealth(owner)).toMatchObject([
      {
        source: id,
        state: 'reachable',
        copy: { total: 3 },
        catalogue: { state: 'current', total: 3 },
        list: { breaker: 'closed', last_failure: null },
        launch: { breaker: 'closed', last_success_at: null },
      },
    ]);
    provider.faults = { list: { status: 500, body: {} }, launch: { status: 401, body: {} } };
    passLong();
    await list(owner);
    await launch(owner, { player_id: await given.player(owner), game_id: 'p-m' });
    expect(await readHealth(owner)).toMatchObject([
      {
        state: 'stale',
        copy: { total: 3 },
        catalogue: { state: 'stale', total: 3 },
        list: { last_failure: 'wrong_status' },
        launch: { last_failure: 'not_authorised' },
      },
    ]);
  });

  it('the health of a connection shows a missing credential as a failure of the list', async () => {
    const { owner } = await giveSource('softswiss', ['m'], { secrets: { token: 'softswiss-token' } });
    await list(owner);
    expect(await readHealth(owner)).toMatchObject([
      { state: 'unavailable', copy: null, catalogue: null, list: { last_failure: 'not_authorised' } },
    ]);
  });

  it('a list that exceeds a limit and has no copy is reported as too large', async () => {
    const owner = await given.package();
    const provider = await giveGameProvider('softswiss', ['m']);
    onTestFinished(() => provider.close());
    provider.faults = { list: { status: 200, body: { games: 'x'.repeat(9 * 1024 * 1024) } } };
    const { dialect, secrets, url: upstreamUrl } = provider;
    const { id } = await giveConnection(given, owner, { dialect, secrets, upstreamUrl });
    await eventually(async () => {
      expect(await list(owner)).toMatchObject({
        ids: ['a', 'z'],
        sources: [{ source: id, state: 'too_large', total: 0 }],
      });
    });
    expect(await readHealth(owner)).toMatchObject([
      { state: 'too_large', copy: null, catalogue: null, list: { last_failure: 'too_large' } },
    ]);
  });

  it('after a restart, the health shows the stored copy, even if a request for the list fails', async () => {
    const { owner, provider, id } = await giveSource('softswiss');
    await untilStored(owner, id);
    const app = await restart();
    const [before] = await readHealth(owner, app);
    expect(before).toMatchObject({ state: 'not_requested', catalogue: null, copy: { total: 3 } });
    provider.faults = { list: { status: 500, body: {} } };
    passLong();
    await list(owner, app);
    expect(await readHealth(owner, app)).toMatchObject([{ state: 'stale', copy: before.copy }]);
  });

  it('the health of a connection shows an open circuit breaker, and that a list was never read', async () => {
    const owner = await given.package();
    const provider = await giveGameProvider('softswiss', ['m']);
    onTestFinished(() => provider.close());
    provider.faults = { list: { status: 500, body: {} } };
    const { dialect, secrets, url: upstreamUrl } = provider;
    await giveConnection(given, owner, { dialect, secrets, upstreamUrl });
    const app = await restart({ breaker: { failures: 2, restMs: 600_000 } });
    expect(await readHealth(owner, app)).toMatchObject([{ state: 'never_read', copy: null }]);
    for (let i = 0; i < 3; i++) {
      await list(owner, app);
      passLong();
    }
    expect(await readHealth(owner, app)).toMatchObject([
      { state: 'circuit_open', copy: null, list: { breaker: 'open', last_failure: 'wrong_status' } },
    ]);
  });
});
