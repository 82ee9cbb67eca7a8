// Key pairs are rotated with an overlap, even under load, and are revoked. Secrets are shown again on
// request.
import type { App } from '@counterfoil/kit/http/app';
import { runningBeside } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../../environment/given.ts';
import {
  giveAdministrator,
  giveMember,
  giveProgram,
  openSecondApp,
  password,
  type Send,
} from '../../environment/people.ts';

let given: Given;
let second: Awaited<ReturnType<typeof openSecondApp>>;
let admin: Send;
/** Milliseconds by which the test has advanced the monotonic clock. */
let passedMs = 0;

beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  given = await givenWallet();
  second = await openSecondApp(given);
  admin = (await giveProgram(given)).send;
});

afterAll(async () => {
  await second.close();
  await given.close();
  vi.restoreAllMocks();
});

const hourMs = 3_600_000;
const at = (owner: { id: number }, rest = '') => `/admin/v1/packages/${owner.id}${rest}`;

interface Pair {
  readonly api_key: string;
  readonly api_secret: string;
}

const call = (app: App, owner: GivenPackage, pair: Pair) =>
  app.inject({
    url: '/api/v1/user/balance?player_id=p',
    headers: { 'x-uid': owner.uid, 'x-api-key': pair.api_key, 'x-api-secret': pair.api_secret },
  });

const firstPair = (owner: GivenPackage): Pair => ({
  api_key: owner.caller.apiKey,
  api_secret: owner.caller.apiSecret,
});

const rotate = (owner: GivenPackage, body: object) => admin('POST', at(owner, '/key-pairs/rotate'), body);

const listPairs = async (owner: GivenPackage) =>
  (await admin('GET', at(owner, '/key-pairs'))).body.data.key_pairs;

/** Runs the work with the clock moved by `ms`, and then resets the clock. */
async function later(ms: number, work: () => Promise<void>): Promise<void> {
  const before = given.clock.now;
  given.clock.now = new Date(before.getTime() + ms);
  try {
    await work();
  } finally {
    given.clock.now = before;
  }
}

describe('rotation of key pairs', () => {
  it('calls with the first and the newest pair succeed in two processes during rotations', async () => {
    const owner = await given.package();
    await given.player(owner, { playerId: 'p' });
    const pairs = [firstPair(owner)];
    const failures: number[] = [];
    let stopped = false;
    const [oldest] = pairs as [Pair];
    const newest = () => pairs.at(-1) as Pair;
    const picks = [() => oldest, newest, newest];
    const workers = [given.app, second.app].flatMap((app) => picks.map((pick) => ({ app, pick })));
    const calls = workers.map(() => 0);
    const work = async ({ app, pick }: (typeof workers)[number], index: number) => {
      while (!stopped) {
        const answer = await call(app, owner, pick());
        calls[index] = (calls[index] ?? 0) + 1;
        if (answer.statusCode !== 200) failures.push(answer.statusCode);
      }
    };
    const load = runningBeside(workers.map(work));
    for (let i = 0; i < 5; i++) {
      const rotated = await rotate(owner, { purpose: 'caller', overlap: '1h' });
      expect(rotated.status).toBe(200);
      // Uses the new pair at once in the other process, which may not have been notified of the rotation yet.
      const { pair } = rotated.body.data;
      expect((await call(second.app, owner, pair)).statusCode).toBe(200);
      pairs.push(pair);
      const before = [...calls];
      await expect
        .poll(() => Math.min(...calls.map((count, index) => count - (before[index] ?? 0))))
        .toBeGreaterThanOrEqual(5);
      // For each package, the cache is bypassed at most once in 200 ms. So the test advances the clock.
      passedMs += 200;
    }
    stopped = true;
    await load;
    expect(failures).toEqual([]);
  });

  it.each([
    ['0', 0],
    ['1h', hourMs],
    ['24h', 24 * hourMs],
    [undefined, 24 * hourMs],
    ['7d', 7 * 24 * hourMs],
    ['30d', 30 * 24 * hourMs],
  ])(
    'a rotation with an overlap of %s ends the old pair exactly when the overlap ends',
    async (overlap, ms) => {
      const owner = await given.package();
      await given.player(owner, { playerId: 'p' });
      const rotated = await rotate(owner, { purpose: 'caller', ...(overlap && { overlap }) });
      const end = new Date(given.clock.now.getTime() + ms).toISOString();
      expect(rotated.body.data).toEqual({
        purpose: 'caller',
        pair: {
          api_key: expect.stringMatching(/^gpk_[\w-]{43}$/),
          api_secret: expect.stringMatching(/^gps_[\w-]{43}$/),
        },
        old_until: end,
      });
      if (ms > 0) {
        await later(ms - 1, async () => {
          expect((await call(second.app, owner, firstPair(owner))).statusCode).toBe(200);
        });
      }
      await later(ms, async () => {
        expect((await call(second.app, owner, firstPair(owner))).statusCode).toBe(401);
        expect((await call(given.app, owner, rotated.body.data.pair)).statusCode).toBe(200);
      });
    },
  );

  it('a rotation without an overlap ends the old pair, even if a clock is slow', async () => {
    const owner = await given.package();
    await given.player(owner, { playerId: 'p' });
    const statusAt = async (app: App) => (await call(app, owner, firstPair(owner))).statusCode;
    for (const app of [given.app, second.app]) expect(await statusAt(app)).toBe(200);
    const rotated = await rotate(owner, { purpose: 'caller', overlap: '0' });
    await later(-hourMs, async () => {
      // The process that rotates refuses the old pair at once. Other processes are notified.
      expect(await statusAt(given.app)).toBe(401);
      await expect.poll(() => statusAt(second.app)).toBe(401);
      expect((await call(second.app, owner, rotated.body.data.pair)).statusCode).toBe(200);
      const callers = (await listPairs(owner)).filter(
        (pair: { purpose: string }) => pair.purpose === 'caller',
      );
      const states = callers.map((pair: { state: string }) => pair.state);
      expect(states).toEqual(['active', 'revoked']);
    });
  });

  it('a rotation replaces only the pair of the given purpose; no older pair’s overlap changes', async () => {
    const owner = await given.package();
    await rotate(owner, { purpose: 'callback', overlap: '1h' });
    await rotate(owner, { purpose: 'callback', overlap: '30d' });
    const states = (await listPairs(owner)).map(
      (pair: { purpose: string; state: string; expires_at: string | null }) => [
        pair.purpose,
        pair.state,
        pair.expires_at && (Date.parse(pair.expires_at) - given.clock.now.getTime()) / hourMs,
      ],
    );
    expect(states).toEqual([
      ['callback', 'active', null],
      ['callback', 'retiring', 720],
      ['callback', 'retiring', 1],
      ['caller', 'active', null],
    ]);
  });

  it('a rotation is refused if too many pairs are valid, unless it has no overlap', async () => {
    const owner = await given.package();
    for (let i = 0; i < 9; i++) await rotate(owner, { purpose: 'caller' });
    const refused = await rotate(owner, { purpose: 'caller' });
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_key_pairs']);
    expect((await rotate(owner, { purpose: 'caller', overlap: '0' })).status).toBe(200);
    expect((await rotate(owner, { purpose: 'caller' })).status).toBe(200);
  });

  it.each([
    [{}, 'purpose'],
    [{ purpose: 'both' }, 'purpose'],
    [{ purpose: 'caller', overlap: '2h' }, 'overlap'],
    [{ purpose: 'caller', overlap: 0 }, 'overlap'],
  ])('a rotation with the body %j is refused, and the error names the field', async (body, field) => {
    const owner = await given.package();
    const answer = await rotate(owner, body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
    expect(await listPairs(owner)).toHaveLength(2);
  });
});

describe('revocation of key pairs', () => {
  it('a revoked pair is refused in every process, and a second revocation changes nothing', async () => {
    const owner = await given.package();
    await given.player(owner, { playerId: 'p' });
    const { pair } = (await rotate(owner, { purpose: 'caller' })).body.data;
    for (const app of [given.app, second.app]) {
      expect((await call(app, owner, firstPair(owner))).statusCode).toBe(200);
    }
    const old = (await listPairs(owner)).find(
      (each: { api_key: string }) => each.api_key === owner.caller.apiKey,
    );
    const path = at(owner, `/key-pairs/${old.id}/revoke`);
    const revoked = await admin('POST', path);
    // The last use of the pair is recorded in the background, so the test cannot predict its value.
    const { last_used_at: _, ...unchanged } = old;
    expect(revoked.body.data.key_pairs.find((each: { id: number }) => each.id === old.id)).toMatchObject({
      ...unchanged,
      state: 'revoked',
      revoked_at: given.clock.now.toISOString(),
    });
    for (const app of [given.app, second.app]) {
      await expect.poll(async () => (await call(app, owner, firstPair(owner))).statusCode).toBe(401);
      expect((await call(app, owner, pair)).statusCode).toBe(200);
    }
    expect((await admin('POST', path)).status).toBe(200);
    const log = await admin('GET', at(owner, '/audit-log?action=key_pair_revoked'));
    expect(log.body.data.entries).toHaveLength(1);
  });

  it("revoking an unknown pair or another package's pair gets 404 and changes nothing", async () => {
    const [owner, other] = [await given.package(), await given.package()];
    const [foreign] = await listPairs(other);
    for (const id of [foreign.id, 999_999_999, 'x', '0', '99999999999999999999']) {
      const answer = await admin('POST', at(owner, `/key-pairs/${id}/revoke`));
      expect([answer.status, answer.body.code]).toEqual([404, 'key_pair_not_found']);
    }
    expect((await listPairs(other)).map((pair: { state: string }) => pair.state)).toEqual([
      'active',
      'active',
    ]);
  });
});

describe('showing the secret of a key pair again', () => {
  const findPair = async (owner: GivenPackage, purpose: string) =>
    (await listPairs(owner)).find((pair: { purpose: string }) => pair.purpose === purpose);

  it('owners and administrators see the secret of a callback pair again with their password', async () => {
    const owner = await given.package();
    const { id } = await findPair(owner, 'callback');
    const chief = await giveMember(given, owner, 'owner');
    const administrator = await giveAdministrator(given);
    for (const [send, prefix] of [
      [chief.send, '/panel/packages'],
      [administrator.send, '/panel/admin/packages'],
    ] as const) {
      const path = `${prefix}/${owner.id}/key-pairs/${id}/reveal`;
      const wrong = await send('POST', path, { password: 'not the password' });
      expect([wrong.status, wrong.body.code]).toEqual([403, 'password_wrong']);
      expect((await send('POST', path, {})).status).toBe(400);
      const shown = await send('POST', path, { password });
      expect(shown.body.data).toEqual({
        api_key: owner.callback.apiKey,
        api_secret: owner.callback.apiSecret,
      });
    }
    const log = await admin('GET', at(owner, '/audit-log?action=callback_secret_revealed'));
    expect(log.body.data.entries.map((each: { actor: object }) => each.actor)).toEqual([
      { kind: 'administrator', id: Number(administrator.id), name: expect.any(String) },
      { kind: 'member', id: Number(chief.id), name: expect.any(String) },
    ]);
    expect(log.text).not.toContain('gps_');
  });

  it('no secret of a caller or revoked pair is shown; members and admin tokens see no secret', async () => {
    const owner = await given.package();
    const chief = await giveMember(given, owner, 'owner');
    const member = await giveMember(given, owner, 'member');
    const caller = await findPair(owner, 'caller');
    const callback = await findPair(owner, 'callback');
    const reveal = (send: Send, id: number) =>
      send('POST', `/panel/packages/${owner.id}/key-pairs/${id}/reveal`, { password });
    expect((await reveal(chief.send, caller.id)).body.code).toBe('secret_not_kept');
    expect((await reveal(member.send, callback.id)).body.code).toBe('forbidden');
    const byToken = await admin('POST', at(owner, `/key-pairs/${callback.id}/reveal`), {
      password,
    });
    expect([byToken.status, byToken.body.code]).toEqual([404, 'route_not_found']);
    await admin('POST', at(owner, `/key-pairs/${callback.id}/revoke`));
    expect((await reveal(chief.send, callback.id)).body.code).toBe('key_pair_not_live');
  });
});
