// GET /api/v1/game/list: which source answers, which lists are accepted, and how they are served.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { UpstreamSettings } from '../../src/upstream/upstream-settings.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveProgram, openSecondApp, sendWithToken } from '../environment/people.ts';
import { type Fault, faults, gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';
import { createRestartingGames, untilReceived } from '../environment/restarting-games.ts';

const limits = { breaker: { failures: 1000, restMs: 60_000 } };
const games = createRestartingGames();

let provider: Provider;
let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet(provider.env, limits, undefined, { deps: games.deps });
  owner = await given.package();
});
beforeEach(async () => {
  provider.faults = {};
  provider.games = { private: gamesNamed('a', 'b', 'c'), public: gamesNamed('a', 'b') };
  // After 6 s, the cached copy of an earlier test is too old to be served without a request to the provider.
  pass(6);
  provider.drainCalls();
});
afterAll(async () => {
  await given.close();
  await games.close();
  await provider.close();
});

const list = async (app = given.app) => {
  const url = '/api/v1/game/list';
  const answer = await app.inject({ url, headers: owner.headers });
  return { answer, status: answer.statusCode, body: answer.json() };
};
const idsOf = (body: { data: { games: { game_id: string }[] } }) =>
  body.data.games.map((game) => game.game_id);
const pass = (seconds: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + seconds * 1000);
};

/** Whether a call with this fault fails only at the deadline. Calls with other faults fail at once. */
const isLate = (fault: Fault) => fault === 'stalled' || fault === 'drip';

/** Deletes all copies, as on the first start of the service. */
const startAnew = async () => {
  await games.restart();
  await given.db.query('delete from catalogue_copies');
};

describe('the list of games', () => {
  beforeAll(startAnew);
  let hasShortDeadline = false;
  const shorten = async (catalogueMs: UpstreamSettings['catalogueMs']) => {
    hasShortDeadline = true;
    await games.restart({ catalogueMs });
  };
  beforeEach(async () => {
    if (hasShortDeadline) await games.restart();
    hasShortDeadline = false;
  });

  it.each(faults)('the list of games is the public catalogue if the private API fails: %s', async (fault) => {
    provider.faults = { 'private/games': fault };
    const check = async () => {
      const { body } = await list();
      expect(body.data).toMatchObject({ source: 'public', total: 2 });
      return provider.drainCalls();
    };
    const calls = ['private/games', 'public/games'];
    if (!isLate(fault)) return expect(await check()).toEqual(calls);
    const { catalogueMs } = given.config.upstream;
    await untilReceived(calls, async (deadlineMs) => {
      await shorten({ ...catalogueMs, private: deadlineMs });
      return check();
    });
  });

  // The tests above show that every fault makes a source fail, so three of the faults are enough here.
  it.each(['refused', 'stalled', 'failing'] as const)(
    'the list is the stored copy and is marked as stale if both sources fail: %s',
    async (fault) => {
      // If calls fail only at the deadline, the service restarts below and reads the time of the copy from
      // the database. A process stores the time of its first copy at once, but the times of later copies
      // only once a minute. So the copy of this test must be the first copy of a process.
      if (isLate(fault)) await games.restart();
      await list();
      const takenAt = given.clock.now.toISOString();
      pass(6);
      provider.drainCalls();
      provider.faults = { 'private/games': fault, 'public/games': fault };
      const check = async () => {
        const { body } = await list();
        expect(body.data).toMatchObject({ source: 'stale', total: 3, updated_at: takenAt });
        return provider.drainCalls();
      };
      const calls = ['private/games', 'public/games'];
      if (!isLate(fault)) return expect(await check()).toEqual(calls);
      await untilReceived(calls, async (deadlineMs) => {
        await shorten({ private: deadlineMs, public: deadlineMs });
        return check();
      });
    },
  );
});

describe('the choice of a source', () => {
  beforeEach(startAnew);

  it('the private API is used if it answers, and the public catalogue is then not requested', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ source: 'private', total: 3, next_cursor: null });
    expect(idsOf(body)).toEqual(['a', 'b', 'c']);
    expect(body.data.updated_at).toBe(given.clock.now.toISOString());
    expect(body.request_id).toMatch(/^req_/);
    expect(body).not.toHaveProperty('package_balance');
    expect(provider.drainCalls()).toEqual(['private/games']);
  });

  it('a retryable 503 is answered if all sources fail and there is no stored copy', async () => {
    provider.faults = { 'private/games': 'failing', 'public/games': 'html' };
    const { status, body, answer } = await list();
    expect([status, body.code, body.retryable]).toEqual([503, 'upstream_unavailable', true]);
    expect(answer.headers['retry-after']).toBe('1');
    expect(body).not.toHaveProperty('package_balance');
  });

  it('the private API is used again as soon as it answers and the copy is older than 5 s', async () => {
    provider.faults = { 'private/games': 'failing' };
    expect((await list()).body.data.source).toBe('public');
    provider.faults = {};
    expect((await list()).body.data.source).toBe('public');
    pass(6);
    expect((await list()).body.data.source).toBe('private');
  });

  it('a long failure of a source is logged once, and its recovery is logged once', async () => {
    given.logLines.length = 0;
    const countLogged = () => given.logLines.filter((line) => /source of the catalogue/.test(line)).length;
    provider.faults = { 'private/games': 'failing' };
    for (let i = 0; i < 3; i++) {
      await list();
      pass(6);
    }
    expect(countLogged()).toBe(1);
    provider.faults = {};
    await list();
    expect(countLogged()).toBe(2);
  });

  it('the private API gets the token, and the public catalogue does not', async () => {
    provider.faults = { 'private/games': 'failing' };
    await list();
    const [first, second] = provider.calls;
    expect(first?.authorization).toMatch(/^Bearer /);
    expect(second?.authorization).toBeUndefined();
  });
});

describe('a request to the sources', () => {
  beforeEach(startAnew);

  it('the sources are not requested while the copy is younger than 5 s', async () => {
    await list();
    pass(4.9);
    await list();
    expect(provider.drainCalls()).toEqual(['private/games']);
    pass(0.2);
    await list();
    expect(provider.drainCalls()).toEqual(['private/games']);
  });

  it('the sources are requested again if the clock was set back', async () => {
    await list();
    provider.drainCalls();
    pass(-3600);
    await list();
    expect(provider.drainCalls()).toEqual(['private/games']);
  });

  it('all callers that arrive before the answer of a source share one request', async () => {
    const release = provider.block();
    const answers = Array.from({ length: 20 }, () => list());
    release();
    const bodies = (await Promise.all(answers)).map(({ body }) => body);
    expect(provider.drainCalls()).toEqual(['private/games']);
    expect(new Set(bodies.map((body) => body.request_id)).size).toBe(20);
    expect(bodies.every((body) => body.data.total === 3)).toBe(true);
  });

  it('a source is not requested while its breaker is open', async () => {
    await games.restart({ breaker: { failures: 2, restMs: 600_000 } });
    provider.faults = { 'private/games': 'failing' };
    const sources = [];
    for (let i = 0; i < 4; i++) {
      sources.push((await list()).body.data.source);
      pass(6);
    }
    expect(sources).toEqual(['public', 'public', 'public', 'public']);
    const asked = provider.drainCalls();
    expect(asked.filter((route) => route === 'private/games')).toHaveLength(2);
    expect(asked.filter((route) => route === 'public/games')).toHaveLength(4);
  });
});

describe('a list with fewer games than the previous list', () => {
  beforeEach(startAnew);

  it.each([
    ['is empty', []],
    ['lost half of its games', gamesNamed('a', 'b')],
  ])('a list counts as a failure of its source if it %s', async (_title, shrunk) => {
    provider.games = { private: gamesNamed('a', 'b', 'c', 'd'), public: gamesNamed('p') };
    await list();
    pass(6);
    provider.games = { ...provider.games, private: shrunk };
    expect((await list()).body.data).toMatchObject({ source: 'public', total: 1 });
    provider.faults = { 'public/games': 'failing' };
    pass(6);
    expect((await list()).body.data).toMatchObject({ source: 'stale' });
  });

  it('a shorter list is accepted if it has lost less than half of its games', async () => {
    provider.games = { ...provider.games, private: gamesNamed('a', 'b', 'c', 'd') };
    await list();
    pass(6);
    provider.games = { ...provider.games, private: gamesNamed('a', 'b', 'c') };
    expect((await list()).body.data).toMatchObject({ source: 'private', total: 3 });
  });

  it('a shorter list is accepted after the source has sent it for 10 minutes', async () => {
    await list();
    provider.games = { private: gamesNamed('z'), public: [] };
    pass(6);
    expect((await list()).body.data.source).toBe('stale');
    pass(599);
    expect((await list()).body.data.source).toBe('stale');
    pass(1);
    expect((await list()).body.data).toMatchObject({ source: 'private', total: 1 });
  });

  it('a shorter list is not accepted after 10 minutes if the whole list was sent in between', async () => {
    await list();
    provider.faults = { 'public/games': 'failing' };
    for (const games of [gamesNamed('z'), gamesNamed('a', 'b', 'c'), gamesNamed('z')]) {
      pass(400);
      provider.games = { ...provider.games, private: games };
      await list();
    }
    pass(400);
    expect((await list()).body.data.source).toBe('stale');
  });

  it('a shorter list is used if an administrator accepts its size; an even shorter list is not', async () => {
    const { token } = await giveProgram(given);
    const send = sendWithToken(given.app, token);
    provider.games = { private: gamesNamed('a', 'b', 'c', 'd', 'e', 'f'), public: [] };
    await list();
    pass(6);
    provider.games = { ...provider.games, private: gamesNamed('a', 'b') };
    expect((await list()).body.data.source).toBe('stale');
    const health = await send('GET', '/admin/v1/upstream');
    expect(health.body.data.suspicions).toContainEqual({
      source: 'private',
      total: 2,
      since: given.clock.now.toISOString(),
    });
    const path = '/admin/v1/upstream/catalogue/accept';
    expect((await send('POST', path, { source: 'private', total: 2 })).status).toBe(200);
    provider.games = { ...provider.games, private: gamesNamed('a') };
    expect((await list()).body.data.source).toBe('stale');
    provider.games = { ...provider.games, private: gamesNamed('a', 'b') };
    expect((await list()).body.data).toMatchObject({ source: 'private', total: 2 });
    const log = await send('GET', '/admin/v1/audit-log?action=catalogue_accepted');
    expect(log.body.data.entries[0]).toMatchObject({
      subject: { kind: 'catalogue', id: 'private' },
      details: { total: 2 },
    });
    provider.games = { ...provider.games, private: gamesNamed('a') };
    pass(6);
    expect((await list()).body.data.source).toBe('stale');
  });

  it('a shorter list accepted through one process is used by all; an even shorter list is not', async () => {
    const other = await openSecondApp(given, limits);
    onTestFinished(other.close);
    const { token } = await giveProgram(given);
    provider.games = { private: gamesNamed('a', 'b', 'c', 'd', 'e', 'f'), public: [] };
    await list();
    await list(other.app);
    pass(6);
    provider.games = { ...provider.games, private: gamesNamed('a', 'b') };
    expect((await list(other.app)).body.data.source).toBe('stale');
    const accepted = { source: 'private', total: 2 };
    await sendWithToken(given.app, token)('POST', '/admin/v1/upstream/catalogue/accept', accepted);
    expect((await list()).body.data).toMatchObject({ source: 'private', total: 2 });
    await eventually(async () => {
      const { rows } = await given.db.query('select total, accepted_total from catalogue_copies');
      expect(rows).toEqual([{ total: 2, accepted_total: null }]);
    });
    provider.games = { ...provider.games, private: gamesNamed('a') };
    expect((await list(other.app)).body.data.source).toBe('stale');
    provider.games = { ...provider.games, private: gamesNamed('a', 'b') };
    expect((await list(other.app)).body.data).toMatchObject({ source: 'private', total: 2 });
  });
});

describe('the last stored copy', () => {
  beforeEach(startAnew);

  it('the stored copy is used after a restart if both sources fail', async () => {
    await list();
    await games.restart();
    provider.faults = { 'private/games': 'refused', 'public/games': 'refused' };
    expect((await list()).body.data).toMatchObject({ source: 'stale', total: 3 });
  });

  it('the last stored copy is ignored if its content cannot be parsed', async () => {
    await list();
    await games.restart();
    await given.db.query(`update catalogue_copies set body = 'nonsense'`);
    provider.faults = { 'private/games': 'refused', 'public/games': 'refused' };
    expect((await list()).body.code).toBe('upstream_unavailable');
    provider.faults = {};
    expect((await list()).body.data).toMatchObject({ source: 'private', total: 3 });
  });

  it('the stored copy is compared with new lists even after a restart', async () => {
    await list();
    await games.restart();
    provider.games = { private: gamesNamed('a'), public: [] };
    expect((await list()).body.data).toMatchObject({ source: 'stale', total: 3 });
  });
});
