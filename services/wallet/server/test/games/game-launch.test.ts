// POST /api/v1/game/launch: the source of the launch URL, and the stored session.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findSessions } from '../../src/games/queries.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { type Fault, faults, gamesNamed, givenProvider, type Provider } from '../environment/provider.ts';
import { createRestartingGames, untilReceived } from '../environment/restarting-games.ts';

const limits = { breaker: { failures: 1000, restMs: 60_000 } };
const games = createRestartingGames();
/** Whether a call with this fault fails only at the deadline. Calls with other faults fail at once. */
const isLate = (fault: Fault) => fault === 'stalled' || fault === 'drip';

let provider: Provider;
let given: Given;
/** A package that may use the shared session. The package `alone` may not use it. */
let sharing: GivenPackage;
let alone: GivenPackage;
let hasDefaultLimits = false;

beforeAll(async () => {
  provider = await givenProvider();
  given = await givenWallet(provider.env, limits, undefined, { deps: games.deps });
  alone = await given.package();
  sharing = await given.package({ sharedLaunch: true });
  for (const owner of [alone, sharing]) {
    await given.player(owner, { playerId: 'p-1', balance: '12.34' });
  }
  provider.games = { private: gamesNamed('moon'), public: gamesNamed('moon') };
});
beforeEach(async () => {
  provider.faults = {};
  provider.launches = {};
  if (!hasDefaultLimits) await restart();
  hasDefaultLimits = true;
  provider.drainCalls();
});
const findOne = async ({ packageId, sessionId }: { packageId: number; sessionId: string }) =>
  (await findSessions(given.db, { packageId, sessionIds: [sessionId] })).get(sessionId);

afterAll(async () => {
  await given.close();
  await games.close();
  await provider.close();
});

/**
 * Simulates a restart and loads the catalogue, so that no launch of the test has to request the catalogue.
 */
const restart: typeof games.restart = async (changed) => {
  hasDefaultLimits = false;
  await games.restart(changed);
  const url = '/api/v1/game/list';
  expect((await given.app.inject({ url, headers: alone.headers })).statusCode).toBe(200);
  provider.drainCalls();
};
const launch = async (owner: GivenPackage, body: object = {}) => {
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/v1/game/launch',
    headers: owner.headers,
    payload: { player_id: 'p-1', game_id: 'moon', ...body },
  });
  return { status: answer.statusCode, body: answer.json(), answer };
};
const launches = () => provider.drainCalls().filter((route) => route.endsWith('launch'));
const newestSession = async (owner: GivenPackage) => {
  const { rows } = await given.db.query(
    'select * from game_sessions where package_id = $1 order by number desc limit 1',
    [owner.id],
  );
  return rows[0];
};

describe('the private launch', () => {
  it('the private launch is tried first, and if it succeeds, the shared session is not used', async () => {
    const { status, body } = await launch(sharing);
    expect(status).toBe(200);
    const expiresAt = new Date(given.clock.now.getTime() + 4 * 3_600_000);
    expect(body.data).toEqual({
      launch_url: 'http://127.0.0.1/play/private-launch',
      launch_url_expires_at: '2026-01-01T00:00:00.000Z',
      session_id: expect.stringMatching(/^gs_[\w-]{32}$/),
      expires_at: expiresAt.toISOString(),
      game_id: 'moon',
      mode: 'real',
      source: 'private',
      balance: 12.34,
      currency: 'EUR',
    });
    expect(body).toMatchObject({ package_balance: 987.66, credit_alert: null });
    expect(launches()).toEqual(['private/launch']);
    const key = { packageId: sharing.id, sessionId: body.data.session_id };
    expect(await findOne(key)).toEqual({
      accountId: expect.any(BigInt),
      gameId: 'moon',
      mode: 'real',
      expiresAt,
      endedAt: undefined,
    });
    expect(await findOne({ ...key, packageId: alone.id })).toBeUndefined();
  });

  it('the private launch sends the token and all fields of the session to the provider', async () => {
    const { body } = await launch(alone, {
      language: 'pt-BR',
      platform: 'mobile',
      return_url: 'https://test.example/back?x=1',
      currency: 'EUR',
    });
    const call = provider.calls.find(({ route }) => route === 'private/launch');
    expect(call?.authorization).toBe('Bearer provider-token-of-tests');
    expect(call?.body).toEqual({
      package: alone.uid,
      player_id: 'p-1',
      session_id: body.data.session_id,
      game_id: 'moon',
      mode: 'real',
      currency: 'EUR',
      decimals: 2,
      language: 'pt-BR',
      platform: 'mobile',
      return_url: 'https://test.example/back?x=1',
      session_expires_at: body.data.expires_at,
    });
  });

  it('the session is stored before the provider is called', async () => {
    const release = provider.block();
    const answer = launch(alone);
    await expect.poll(() => provider.calls.length).toBeGreaterThan(0);
    const sessionId = provider.calls[0]?.body.session_id;
    expect(await findOne({ packageId: alone.id, sessionId })).toBeDefined();
    release();
    expect((await answer).status).toBe(200);
  });
});

describe('the shared session', () => {
  it.each(faults)('the shared session is used when the private launch fails: %s', async (fault) => {
    provider.faults = { 'private/launch': fault };
    const check = async () => {
      const { status, body } = await launch(sharing);
      expect([status, body.data?.source]).toEqual([200, 'shared']);
      expect(body.data.launch_url).toBe('http://127.0.0.1/play/shared-launch');
      const session = await newestSession(sharing);
      expect(session).toMatchObject({
        source: 'shared',
        private_failure: isLate(fault) ? 'timeout' : expect.stringMatching(/^[a-z_]+$/),
        ended_at: null,
      });
      const ofSession = provider.calls.filter((call) => call.body.session_id === session?.id);
      return ofSession.map(({ route }) => route);
    };
    const calls = ['private/launch', 'shared/launch'];
    if (!isLate(fault)) return expect(await check()).toEqual(calls);
    await untilReceived(calls, async (deadlineMs) => {
      await restart({ privateLaunchMs: deadlineMs });
      return check();
    });
  });

  it('the shared session is never used for a package that has not enabled it', async () => {
    provider.faults = { 'private/launch': 'failing' };
    const { status, body, answer } = await launch(alone);
    expect([status, body.code, body.retryable]).toEqual([503, 'upstream_unavailable', true]);
    expect(answer.headers['retry-after']).toBe('1');
    expect(body).toHaveProperty('package_balance');
    expect(launches()).toEqual(['private/launch']);
    const session = await newestSession(alone);
    expect(session).toMatchObject({ source: null, private_failure: 'wrong_status' });
    expect(session?.ended_at).not.toBeNull();
  });

  it.each([
    [404, 'game_not_found', 404],
    [409, 'game_unavailable', 403],
  ])(
    'the shared session is not used when the private launch is refused with the status %s and the code %s',
    async (status, code, answered) => {
      provider.launches = { 'private/launch': { status, body: { error: { code } } } };
      const answer = await launch(sharing);
      expect([answer.status, answer.body.code]).toEqual([answered, code]);
      expect(launches()).toEqual(['private/launch']);
    },
  );

  it.each([
    [404, { error: { code: 'no_such_route' } }],
    [409, { error: { code: 'game_not_found' } }],
    [400, { error: { code: 'bad_request' } }],
    [201, { launch_url: 'javascript:alert(1)', expires_at: '2026-01-01T00:00:00Z' }],
    [201, { launch_url: 'https://elsewhere.example/', expires_at: '2026-01-01T00:00:00Z' }],
    [201, { launch_url: 'http://127.0.0.1@evil.example/', expires_at: '2026-01-01T00:00:00Z' }],
    [201, { launch_url: 'http://127.0.0.1/play', expires_at: 'soon' }],
    [201, [1]],
  ])('the shared session is used if the private answer is %s with the body %j', async (status, body) => {
    provider.launches = { 'private/launch': { status, body } };
    expect((await launch(sharing)).body.data?.source).toBe('shared');
  });

  it('a launch is answered with 503 if the private launch and the shared session both fail', async () => {
    provider.faults = { 'private/launch': 'stalled', 'shared/launch': 'html' };
    await untilReceived(['private/launch', 'shared/launch'], async (deadlineMs) => {
      await restart({ privateLaunchMs: deadlineMs });
      const { status, body } = await launch(sharing);
      expect([status, body.code]).toEqual([503, 'upstream_unavailable']);
      return launches();
    });
  });

  it('the shared session is not used if the private launch used up the time for the launch', async () => {
    provider.faults = { 'private/launch': 'stalled' };
    await untilReceived(['private/launch'], async (deadlineMs) => {
      await restart({ privateLaunchMs: 60_000, launchMs: deadlineMs });
      expect((await launch(sharing)).status).toBe(503);
      return launches();
    });
  });

  it('the request for the shared session is aborted when the time of the whole launch is over', async () => {
    provider.faults = { 'private/launch': 'failing', 'shared/launch': 'stalled' };
    await untilReceived(['private/launch', 'shared/launch'], async (deadlineMs) => {
      await restart({ launchMs: deadlineMs });
      expect((await launch(sharing)).body.code).toBe('upstream_unavailable');
      return launches();
    });
  });

  it('the shared session is used without a private attempt while the breaker is open', async () => {
    await restart({ breaker: { failures: 2, restMs: 600_000 } });
    provider.faults = { 'private/launch': 'failing' };
    for (let i = 0; i < 3; i++) expect((await launch(sharing)).body.data.source).toBe('shared');
    expect(launches().filter((route) => route === 'private/launch')).toHaveLength(2);
    expect(await newestSession(sharing)).toMatchObject({ private_failure: 'breaker_open' });
  });
});

it('no log line contains the launch URL or a secret', async () => {
  const request = {
    method: 'POST',
    url: '/api/v1/game/launch',
    headers: sharing.headers,
    payload: { player_id: 'p-1', game_id: 'moon' },
  } as const;
  expect((await given.app.inject(request)).statusCode).toBe(200);
  provider.faults = { 'private/launch': 'failing' };
  expect((await given.app.inject(request)).statusCode).toBe(200);
  const lines = given.logLines.join('');
  expect(lines).toContain('a launch failed');
  expect(lines).not.toContain('/play/');
  for (const secret of ['provider-token-of-tests', sharing.headers['x-api-secret'] ?? '']) {
    expect(lines).not.toContain(secret);
  }
});
