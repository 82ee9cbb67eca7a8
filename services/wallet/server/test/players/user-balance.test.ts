// GET /api/v1/user/balance answers with the balance and the package's credit. The checks have a fixed order.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

let given: Given;
let owner: GivenPackage;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000.00', domains: ['test.example', '*.shop.example'] });
});

afterAll(() => given.close());

const get = (headers: Record<string, string>, query = '?player_id=nobody') =>
  given.app.inject({ url: `/api/v1/user/balance${query}`, headers, remoteAddress: '10.1.1.1' });

const refusal = (code: string) => ({
  status: 'error',
  code,
  msg: expect.any(String),
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
});

describe('a successful balance read', () => {
  it('the answer has exactly the fields of the contract', async () => {
    await given.player(owner, { playerId: 'Zoë 1', balance: '19.99' });
    const answer = await get(owner.headers, `?player_id=${encodeURIComponent('Zoë 1')}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      status: 'success',
      data: {
        player_id: 'Zoë 1',
        balance: 19.99,
        currency: 'EUR',
        status: 'active',
        updated_at: '2026-05-04T10:00:00.500Z',
      },
      package_balance: 980.01,
      credit_alert: null,
      request_id: answer.headers['x-request-id'],
    });
  });

  it('a balance read is possible for a blocked player, and ignores unknown parameters', async () => {
    const blocked = await given.player(owner, { status: 'blocked' });
    const answer = await get(owner.headers, `?player_id=${blocked}&x=1&currency=USD`);
    expect(answer.json().data).toMatchObject({ status: 'blocked', balance: 0 });
  });

  it('the answer has an alert if the package credit is below the threshold', async () => {
    const low = await given.package({ credit: '40.00', alertThreshold: 10000n });
    const player = await given.player(low);
    const answer = await get(low.headers, `?player_id=${player}`);
    expect(answer.json()).toMatchObject({
      package_balance: 40,
      credit_alert: { level: 'low', threshold: 100, balance: 40, message: expect.any(String) },
    });
  });

  it('the balance can be read while the package is suspended', async () => {
    const suspended = await given.package({ state: 'suspended' });
    const player = await given.player(suspended);
    expect((await get(suspended.headers, `?player_id=${player}`)).statusCode).toBe(200);
  });

  it('the balance is exact for currencies without decimals and with three decimals', async () => {
    for (const [currency, balance, shown] of [
      ['JPY', '999', 999],
      ['KWD', '0.001', 0.001],
    ] as const) {
      const exact = await given.package({ currency, credit: '1000' });
      const player = await given.player(exact, { balance });
      expect((await get(exact.headers, `?player_id=${player}`)).json().data.balance).toBe(shown);
    }
  });
});

describe('authentication of a balance read', () => {
  it.each(['x-uid', 'x-api-key', 'x-api-secret'])('a request without %s gets 401', async (name) => {
    const { [name]: _left, ...others } = owner.headers;
    const missing = await get(others);
    expect([missing.statusCode, missing.json()]).toEqual([401, refusal('auth_missing')]);
    const empty = await get({ ...owner.headers, [name]: '' });
    expect(empty.json()).toEqual(refusal('auth_missing'));
  });

  it("unknown credentials and another package's UID, key or secret get the same 401", async () => {
    const other = await given.package();
    const pick = (bits: number) => ({
      'x-uid': (bits & 1 ? other : owner).headers['x-uid'] ?? '',
      'x-api-key': (bits & 2 ? other : owner).headers['x-api-key'] ?? '',
      'x-api-secret': (bits & 4 ? other : owner).headers['x-api-secret'] ?? '',
    });
    const wrong = [
      ...[1, 2, 3, 4, 5, 6].map(pick),
      { ...owner.headers, 'x-uid': 'UID_unknown' },
      { ...owner.headers, 'x-api-key': 'gpk_unknown' },
      { ...owner.headers, 'x-api-secret': 'gps_unknown' },
    ];
    for (const headers of wrong) {
      const answer = await get(headers);
      expect([answer.statusCode, answer.json()]).toEqual([401, refusal('auth_invalid')]);
    }
    expect((await get(pick(0))).statusCode).toBe(404);
    expect((await get(pick(7))).statusCode).toBe(404);
  });

  it('the authentication refuses a callback pair with 403', async () => {
    const headers = {
      'x-uid': owner.uid,
      'x-api-key': owner.callback.apiKey,
      'x-api-secret': owner.callback.apiSecret,
    };
    const answer = await get(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject(refusal('insufficient_scope'));
  });

  it('after 60 failures in a minute the answer is 429, but valid credentials still work', async () => {
    const send = (headers: Record<string, string>) =>
      given.app.inject({
        url: '/api/v1/user/balance?player_id=x',
        headers,
        remoteAddress: '10.9.9.9',
      });
    for (let i = 0; i < 60; i++) expect((await send({})).statusCode).toBe(401);
    const limited = await send({});
    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '60']);
    expect(limited.headers.ratelimit).toBe('"failed-authentications";r=0;t=60');
    expect((await send(owner.headers)).statusCode).toBe(404);
  });
});

describe('the checks of package state, Origin and IP address', () => {
  it('a call of a pending package gets 403 with the credit of the package', async () => {
    const pending = await given.package({ state: 'pending', credit: '0' });
    const answer = await get(pending.headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual({
      ...refusal('package_not_approved'),
      package_balance: 0,
      credit_alert: expect.objectContaining({ level: 'exhausted' }),
    });
  });

  it.each([
    ['https://test.example', 404],
    ['http://TEST.example:8080', 404],
    ['https://a.shop.example', 404],
    ['https://evil.example', 403],
    ['null', 403],
  ])('a call for an unknown player with the Origin %s gets %i', async (origin, status) => {
    const answer = await get({ ...owner.headers, origin });
    expect(answer.statusCode).toBe(status);
    if (status === 403) expect(answer.json()).toMatchObject(refusal('origin_not_allowed'));
  });

  it('a call from an IP address that is not on the list gets 403, even with X-Forwarded-For', async () => {
    const listed = await given.package();
    await given.db.query(`update packages set caller_addresses = '{10.1.1.0/24,::1}' where id = $1`, [
      listed.id,
    ]);
    expect((await get(listed.headers)).statusCode).toBe(404);
    const headers = { ...listed.headers, 'x-forwarded-for': '10.1.1.1' };
    const answer = await given.app.inject({
      url: '/api/v1/user/balance?player_id=x',
      headers,
      remoteAddress: '10.2.2.2',
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'address_not_allowed']);
  });

  it('the Origin is checked after the authentication and before the parameters', async () => {
    expect((await get({ ...owner.headers, origin: 'https://evil.example' }, '')).statusCode).toBe(403);
    expect((await get({ origin: 'https://evil.example' }, '')).statusCode).toBe(401);
  });
});

describe('the parameter player_id', () => {
  it.each([
    ['missing', ''],
    ['empty', '?player_id='],
    ['65 characters', `?player_id=${'a'.repeat(65)}`],
    ['a NUL', '?player_id=%00'],
    ['a line feed', '?player_id=a%0Ab'],
    ['given twice', '?player_id=a&player_id=b'],
  ])('the parameter player_id is refused, and the error names the field: %s', async (_title, query) => {
    const answer = await get(owner.headers, query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      ...refusal('invalid_parameter'),
      errors: { player_id: [expect.any(String)] },
      package_balance: expect.any(Number),
    });
  });

  it("the id of an unknown player gets the same 404 as the id of another package's player", async () => {
    const other = await given.package();
    const foreign = await given.player(other);
    const [unknown, others] = [await get(owner.headers), await get(owner.headers, `?player_id=${foreign}`)];
    expect(unknown.statusCode).toBe(404);
    const same = (body: string) => body.replace(/req_[0-9a-f-]+/, '');
    expect(same(others.body)).toBe(same(unknown.body));
    expect(unknown.json()).toEqual({
      ...refusal('player_not_found'),
      package_balance: expect.any(Number),
      credit_alert: null,
    });
  });

  it('the parameter player_id is compared exactly, including letter case and spaces', async () => {
    const player = await given.player(owner, { playerId: 'Case' });
    expect((await get(owner.headers, `?player_id=${player}`)).statusCode).toBe(200);
    expect((await get(owner.headers, '?player_id=case')).statusCode).toBe(404);
    expect((await get(owner.headers, '?player_id=Case%20')).statusCode).toBe(404);
  });
});

describe('the database after these tests', () => {
  it('each balance is the sum of its movements, and the balances of a package add up to zero', async () => {
    const { rows } = await given.db.query(
      `select a.package_id, a.id from accounts a
       where balance <>
         coalesce((select sum(amount) from journal j
           where j.package_id = a.package_id and credit_account = a.id), 0)
         - coalesce((select sum(amount) from journal j
           where j.package_id = a.package_id and debit_account = a.id), 0)`,
    );
    expect(rows).toEqual([]);
    const sums = await given.db.query('select package_id from accounts group by 1 having sum(balance) <> 0');
    expect(sums.rows).toEqual([]);
  });

  it('neither the database nor the log contains a secret in clear text', async () => {
    const rows = await dumpRows(given.db);
    for (const table of ['packages', 'package_keys']) expect(rows).toContain(`${table} (`);
    expect(rows).toContain(owner.caller.apiKey);
    expect(given.logLines.length).toBeGreaterThan(0);
    const all = rows + given.logLines.join();
    for (const secret of [owner.caller.apiSecret, owner.callback.apiSecret, owner.aesKey]) {
      expect(all).not.toContain(secret);
    }
  });
});
