// Admin tokens are stored as hashes and can be revoked. All wrong tokens get the same answer.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, givenWallet } from '../environment/given.ts';
import {
  type GivenPerson,
  giveAdministrator,
  giveProgram,
  openSecondApp,
  sendWithToken,
} from '../environment/people.ts';

let given: Given;
let administrator: GivenPerson;

beforeAll(async () => {
  given = await givenWallet();
  administrator = await giveAdministrator(given);
});

afterAll(() => given.close());

const all = '/panel/admin/admin-tokens';
const make = async (body: object) => (await administrator.send('POST', all, body)).body.data;

it('a token works in every process until it is revoked', async () => {
  const second = await openSecondApp(given);
  const made = await make({ name: 'billing' });
  expect(made).toEqual({ id: expect.any(Number), token: expect.stringMatching(/^cfa_[\w-]{43}$/) });
  const [here, there] = [given.app, second.app].map((app) => sendWithToken(app, made.token));
  expect((await here?.('GET', '/admin/v1/packages'))?.status).toBe(200);
  expect((await there?.('GET', '/admin/v1/packages'))?.status).toBe(200);
  const listed = await administrator.send('GET', all);
  expect(listed.body.data.admin_tokens[0]).toEqual({
    id: made.id,
    name: 'billing',
    hint: made.token.slice(-4),
    state: 'active',
    created_by: Number(administrator.id),
    created_at: given.clock.now.toISOString(),
    expires_at: null,
    revoked_at: null,
    last_used_at: given.clock.now.toISOString(),
  });
  const revoked = await administrator.send('POST', `${all}/${made.id}/revoke`);
  expect(revoked.body.data.admin_tokens[0]).toMatchObject({ id: made.id, state: 'revoked' });
  for (const send of [here, there]) {
    const answer = await send?.('GET', '/admin/v1/packages');
    expect([answer?.status, answer?.body.code]).toEqual([401, 'auth_invalid']);
  }
  await second.close();
});

it('a token expires after the given number of days', async () => {
  const { token } = await make({ name: 'short', expires_in_days: 1 });
  const send = sendWithToken(given.app, token);
  const before = given.clock.now;
  given.clock.now = new Date(before.getTime() + 24 * 3_600_000 - 1);
  expect((await send('GET', '/admin/v1/packages')).status).toBe(200);
  given.clock.now = new Date(before.getTime() + 24 * 3_600_000);
  expect((await send('GET', '/admin/v1/packages')).status).toBe(401);
  given.clock.now = before;
});

it('unknown, malformed and missing tokens get 401; after 60 failures in a minute they get 429', async () => {
  const send = (authorization?: string) =>
    given.app.inject({
      url: '/admin/v1/packages',
      remoteAddress: '10.99.0.1',
      ...(authorization !== undefined && { headers: { authorization } }),
    });
  const { token } = await giveProgram(given);
  for (const wrong of [
    'Bearer cfa_unknown',
    `Bearer ${token}x`,
    `Basic ${token}`,
    `Bearer cfa_${'a'.repeat(43)}`,
    token,
  ]) {
    const answer = await send(wrong);
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'auth_invalid']);
  }
  const missing = await send();
  expect([missing.statusCode, missing.json().code]).toEqual([401, 'auth_missing']);
  expect(missing.headers['www-authenticate']).toBe('Bearer');
  for (let i = 0; i < 60; i++) await send('Bearer cfa_no');
  expect((await send('Bearer cfa_no')).statusCode).toBe(429);
  expect((await send(`bearer ${token}`)).statusCode).toBe(200);
});

it.each([
  [{}, 'name'],
  [{ name: '' }, 'name'],
  [{ name: '  ' }, 'name'],
  [{ name: 'a\u0000' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'x', expires_in_days: 0 }, 'expires_in_days'],
  [{ name: 'x', expires_in_days: 1.5 }, 'expires_in_days'],
])('a token with %j is not created, and the error names the field', async (body, field) => {
  const answer = await administrator.send('POST', all, body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
});

it('the revocation of an unknown admin token gets 404', async () => {
  for (const id of ['999999', '0', 'x']) {
    const answer = await administrator.send('POST', `${all}/${id}/revoke`);
    expect([answer.status, answer.body.code]).toEqual([404, 'admin_token_not_found']);
  }
});

it('no token, secret or AES key is in clear text in the database or the log', async () => {
  const { token } = await make({ name: 'searched' });
  const send = sendWithToken(given.app, token);
  const issued = await send('POST', '/admin/v1/packages', { name: 'Searched', currency: 'EUR' });
  const { package: made, credentials } = issued.body.data;
  const path = `/admin/v1/packages/${made.id}`;
  const secrets = [token, credentials.caller.api_secret, credentials.callback.api_secret];
  secrets.push(credentials.aes_key);
  for (const purpose of ['caller', 'callback']) {
    const rotated = await send('POST', `${path}/key-pairs/rotate`, { purpose });
    secrets.push(rotated.body.data.pair.api_secret);
  }
  secrets.push((await send('POST', `${path}/aes-key/rotate`)).body.data.aes_key);
  const sandbox = await send('POST', `${path}/sandbox`);
  secrets.push(sandbox.body.data.credentials.caller.api_secret, sandbox.body.data.credentials.aes_key);
  expect(given.logLines.length).toBeGreaterThan(0);
  const everything = [...given.logLines, await dumpRows(given.db)].join('\n');
  expect(everything).toContain(made.uid);
  for (const secret of secrets) expect(everything).not.toContain(secret);
});
