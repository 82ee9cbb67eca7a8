// Checks the access to packages by role. A person without a role cannot find out whether a package exists.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import {
  type Answer,
  giveAdministrator,
  giveMember,
  givePerson,
  giveProgram,
  password,
  type Send,
} from '../environment/people.ts';

type Who = 'owner' | 'member' | 'stranger' | 'nobody' | 'administrator';

let given: Given;
let mine: GivenPackage;
let send: Record<Who, Send>;
let program: Send;
let pairId: number;

beforeAll(async () => {
  given = await givenWallet();
  mine = await given.package();
  const other = await given.package();
  program = (await giveProgram(given)).send;
  const pairs = await program('GET', `/admin/v1/packages/${mine.id}/key-pairs`);
  pairId = pairs.body.data.key_pairs.find((pair: { purpose: string }) => pair.purpose === 'callback').id;
  const anybody: Send = async (method, url, body) => {
    const answer = await given.app.inject({
      method,
      url,
      headers: { origin: given.config.publicUrl },
      ...(method !== 'GET' && method !== 'DELETE' && { payload: body ?? {} }),
    });
    return { status: answer.statusCode, text: answer.body, body: answer.json() };
  };
  send = {
    owner: (await giveMember(given, mine, 'owner')).send,
    member: (await giveMember(given, mine, 'member')).send,
    stranger: (await giveMember(given, other, 'owner')).send,
    nobody: anybody,
    administrator: (await giveAdministrator(given)).send,
  };
});

afterAll(() => given.close());

type Route = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest: string, body: object | undefined];

const get = (rest: string): Route => ['GET', rest, undefined];
const post = (rest: string, body: object = {}): Route => ['POST', rest, body];

const reading: Route[] = [
  get(''),
  get('/key-pairs'),
  get('/top-ups'),
  get('/members'),
  get('/invitations'),
  get('/audit-log'),
  get('/rounds'),
  get('/provider-calls'),
  get('/rounds?state=open&older_than=1h'),
  get('/callbacks'),
  get('/sessions'),
  get('/game-sources'),
  get('/registration'),
  get('/connections'),
];

const owning: Route[] = [
  ['PATCH', '', { alert_threshold: 3 }],
  ['PATCH', '', { max_stake: null }],
  post('/key-pairs/rotate', { purpose: 'caller' }),
  post('/key-pairs/PAIR/reveal', { password }),
  post('/aes-key/rotate', { overlap: '0' }),
  post('/aes-key/reveal', { password }),
  post('/invitations', { email: 'guest@example.com', role: 'member' }),
  post('/connections', { name: 'Matrix', dialect: 'valkyrie' }),
  post('/sandbox'),
  post('/key-pairs/PAIR/revoke'),
];

const administering: Route[] = [
  post('/approve'),
  post('/suspend'),
  post('/resume'),
  post('/top-ups', { amount: 1, transaction_id: 'matrix' }),
];

const withoutId = ({ text }: Answer) => text.replace(/req_[0-9a-f-]+/, '');

const ask = (who: Who, prefix: string, [method, rest, body]: Route, id: number | string = mine.id) =>
  send[who](method, `${prefix}/packages/${id}${rest.replace('PAIR', String(pairId))}`, body);

describe('routes below /panel/packages', () => {
  it.each([...reading, ...owning])(
    'the route %s %s gives people who are not members the answer for an unknown package',
    async (...route) => {
      const foreign = await ask('stranger', '/panel', route);
      const unknown = await ask('stranger', '/panel', route, 999_999);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'package_not_found']);
      expect(withoutId(foreign)).toBe(withoutId(unknown));
      const unsigned = await ask('nobody', '/panel', route);
      expect([unsigned.status, unsigned.body.code]).toEqual([401, 'not_signed_in']);
      const administrator = await ask('administrator', '/panel', route);
      expect(administrator.status).toBe(404);
    },
  );

  it.each(reading)('the route %s %s can be read by members and owners', async (...route) => {
    expect((await ask('member', '/panel', route)).status).toBe(200);
    expect((await ask('owner', '/panel', route)).status).toBe(200);
  });

  it.each(owning)('the route %s %s is allowed only for owners', async (...route) => {
    const member = await ask('member', '/panel', route);
    expect([member.status, member.body.code]).toEqual([403, 'forbidden']);
    expect((await ask('owner', '/panel', route)).status).toBe(200);
  });

  it.each(administering)('the route %s %s is refused even for owners', async (...route) => {
    expect([404, 405]).toContain((await ask('owner', '/panel', route)).status);
    const asAdministrator = await ask('owner', '/panel/admin', route);
    expect([asAdministrator.status, asAdministrator.body.code]).toEqual([403, 'forbidden']);
  });

  it('an owner may not set the name or the overdraft limit', async () => {
    for (const body of [{ name: 'Mine' }, { overdraft_limit: 100 }]) {
      expect((await ask('owner', '/panel', ['PATCH', '', body])).body.code).toBe('forbidden');
    }
  });
});

describe('routes below /panel/admin and /admin/v1', () => {
  it.each([...reading, ...administering])(
    'the route %s %s is allowed only for administrators and admin tokens',
    async (...route) => {
      for (const who of ['owner', 'stranger'] as const) {
        expect((await ask(who, '/panel/admin', route)).status).toBe(403);
      }
      expect((await ask('nobody', '/panel/admin', route)).status).toBe(401);
      expect((await ask('nobody', '/admin/v1', route)).body.code).toBe('auth_missing');
      expect((await ask('owner', '/admin/v1', route)).status).toBe(401);
      expect([200]).toContain((await ask('administrator', '/panel/admin', route)).status);
      const [method, rest, body] = route;
      const byToken = await program(method, `/admin/v1/packages/${mine.id}${rest}`, body);
      expect(byToken.status).toBe(200);
      const unknown = await program(method, `/admin/v1/packages/999999${rest}`, body);
      expect([unknown.status, unknown.body.code]).toEqual([404, 'package_not_found']);
    },
  );

  it('only administrators can list packages, the platform log, tokens and administrators', async () => {
    for (const path of ['packages', 'audit-log', 'admin-tokens', 'administrators']) {
      expect((await send.owner('GET', `/panel/admin/${path}`)).status).toBe(403);
      expect((await send.administrator('GET', `/panel/admin/${path}`)).status).toBe(200);
    }
    const someone = await givePerson(given, []);
    expect((await someone.send('GET', '/panel/packages')).body.data).toEqual({ packages: [] });
    const own = await send.administrator('GET', '/panel/packages');
    expect(own.body.data).toEqual({ packages: [] });
  });
});

it('a request with the origin of another site is refused', async () => {
  const forged = await given.app.inject({
    method: 'POST',
    url: `/panel/packages/${mine.id}/aes-key/rotate`,
    headers: { origin: 'https://evil.example' },
    payload: {},
  });
  expect([forged.statusCode, forged.json().code]).toEqual([403, 'cross_site_refused']);
});
