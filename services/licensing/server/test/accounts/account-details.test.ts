// GET /api/account/details: the account that owns the key, and every refusal of a key.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';

const path = '/api/account/details';
const given = setUpLicensing();
let key: string;
let workspaceId: bigint;

beforeAll(async () => {
  workspaceId = await given.workspace({
    account: {
      firstname: 'Ada',
      lastname: 'Lindqvist',
      username: 'ada',
      email: 'ada@x.example',
      balanceMinor: 1999n,
      currency: 'USD',
      heading: 'H',
      description: 'D',
      contactEmail: 'c@x.example',
      socialLinks: { github: 'https://g.example/ada' },
      avatarUrl: 'https://m.example/a.png',
      coverUrl: 'https://m.example/c.png',
      registeredAt: new Date('2020-01-02T03:04:05.678Z'),
    },
  });
  key = await given.apiKey(workspaceId);
});

const get = (headers: Record<string, string> = {}, query = '') =>
  given.app.inject({ url: `${path}${query}`, headers, remoteAddress: '10.1.1.1' });

const refusal = (code: string, msg = 'Invalid request') => ({
  status: 'error',
  code,
  msg,
  request_id: expect.stringMatching(/^req_/),
  retryable: false,
});

describe('a valid request for the account details', () => {
  it('a valid request is answered exactly as specified', async () => {
    const answer = await get({ 'x-api-key': key });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      status: 'success',
      data: {
        name: { firstname: 'Ada', lastname: 'Lindqvist', full_name: 'Ada Lindqvist' },
        username: 'ada',
        email: 'ada@x.example',
        balance: 19.99,
        currency: 'USD',
        profile: {
          heading: 'H',
          description: 'D',
          contact: { email: 'c@x.example' },
          social_links: { github: 'https://g.example/ada' },
          media: { avatar: 'https://m.example/a.png', cover: 'https://m.example/c.png' },
        },
        registered_at: '2020-01-02T03:04:05Z',
      },
    });
  });

  it('empty values are "" or {}, never null, even if the account is not a seller', async () => {
    const bare = await given.workspace({
      account: { email: 'e@x.example', currency: 'JPY', isSeller: false },
    });
    const answer = await get({ 'x-api-key': await given.apiKey(bare) });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({
      name: { firstname: '', lastname: '', full_name: '' },
      balance: 0,
      profile: { social_links: {}, contact: { email: '' }, media: { avatar: '', cover: '' } },
    });
    expect(answer.body).not.toContain('null');
  });

  it.each([
    ['the X-Api-Key header', (k: string) => get({ 'x-api-key': k })],
    ['an Authorization header', (k: string) => get({ authorization: `Bearer ${k}` })],
    ['a header with “bearer” in lower case', (k: string) => get({ authorization: `bearer ${k}` })],
    ['the query', (k: string) => get({}, `?api_key=${k}`)],
    ['the query twice, with equal values', (k: string) => get({}, `?api_key=${k}&api_key=${k}`)],
    [
      'header, bearer token and query, with equal values',
      (k: string) => get({ 'x-api-key': k, authorization: `Bearer ${k}` }, `?api_key=${k}`),
    ],
    ['the query while the header is empty', (k: string) => get({ 'x-api-key': '' }, `?api_key=${k}`)],
    [
      'the header, with unknown parameters in the query',
      (k: string) => get({ 'x-api-key': k }, '?domain=x&code=&item_id=5'),
    ],
  ])('a valid request for the account details is accepted with the key in %s', async (_title, send) => {
    expect((await send(key)).statusCode).toBe(200);
  });

  it('a request with the method HEAD gets 200 and no body', async () => {
    const answer = await given.app.inject({
      method: 'HEAD',
      url: path,
      headers: { 'x-api-key': key },
    });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });

  it('the answer to a valid request does not depend on User-Agent and Accept-Language', async () => {
    const plain = await get({ 'x-api-key': key });
    const odd = await get({ 'x-api-key': key, 'user-agent': 'x', 'accept-language': 'de' });
    expect(odd.body).toBe(plain.body);
  });
});

describe('a refused request for the account details', () => {
  it.each([
    ['no key', () => get(), 'api_key_missing'],
    ['an empty key', () => get({}, '?api_key='), 'api_key_missing'],
    ['an unknown key', () => get({ 'x-api-key': 'ck_live_unknown' }), 'api_key_invalid'],
    ['a key with a NUL', () => get({}, '?api_key=%00'), 'api_key_invalid'],
    ['a key of 7 kB', () => get({}, `?api_key=${'a'.repeat(7000)}`), 'api_key_invalid'],
    [
      'two different keys in header and query',
      () => get({ 'x-api-key': key }, '?api_key=other'),
      'api_key_conflict',
    ],
    ['two different keys in the query', () => get({}, `?api_key=${key}&api_key=other`), 'api_key_conflict'],
  ])('a request with %s gets 401', async (_title, send, code) => {
    const answer = await send();
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(refusal(code));
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="licensing"');
  });

  it('an expired key gets api_key_expired, but an expired and revoked key gets api_key_revoked', async () => {
    const past = new Date(given.clock.now.getTime() - 1000);
    const revoked = await given.apiKey(workspaceId, { revokedAt: past, expiresAt: past });
    const expired = await given.apiKey(workspaceId, { expiresAt: past });
    expect((await get({ 'x-api-key': revoked })).json()).toEqual(refusal('api_key_revoked'));
    expect((await get({ 'x-api-key': expired })).json()).toEqual(refusal('api_key_expired'));
  });

  it('a request is refused from the moment at which its cached key expires', async () => {
    const expiresAt = new Date(given.clock.now.getTime() + 1000);
    const short = await given.apiKey(workspaceId, { expiresAt });
    expect((await get({ 'x-api-key': short })).statusCode).toBe(200);
    const before = given.clock.now;
    given.clock.now = expiresAt;
    expect((await get({ 'x-api-key': short })).json().code).toBe('api_key_expired');
    given.clock.now = before;
  });

  it('a request whose key lacks the scope account:read gets 403', async () => {
    const narrow = await given.apiKey(workspaceId, { scopes: ['items:read'] });
    const answer = await get({ 'x-api-key': narrow });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual(refusal('insufficient_scope'));
  });

  it('a wrong method gets 405 with Allow, and an unknown path gets 404', async () => {
    const post = await given.app.inject({ method: 'POST', url: path });
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(post.json()).toEqual(refusal('method_not_allowed'));
    const none = await given.app.inject({ url: '/api/account' });
    expect([none.statusCode, none.json()]).toEqual([404, refusal('route_not_found')]);
  });
});

describe('the limit of wrong keys', () => {
  it('after 60 wrong keys in a minute, more wrong keys get 429, but a valid key still works', async () => {
    const send = (k: string) =>
      given.app.inject({ url: path, headers: { 'x-api-key': k }, remoteAddress: '10.9.9.9' });
    for (let i = 0; i < 60; i++) expect((await send('wrong')).statusCode).toBe(401);
    const limited = await send('wrong');
    expect(limited.statusCode).toBe(429);
    expect(limited.json()).toEqual({
      ...refusal('rate_limited', 'Too many requests'),
      retryable: true,
    });
    expect(limited.headers['retry-after']).toBe('60');
    expect(limited.headers.ratelimit).toBe('"failed-authentications";r=0;t=60');
    expect((await send(key)).statusCode).toBe(200);
    expect((await get({ 'x-api-key': 'wrong' })).statusCode).toBe(401);
  });
});

describe('a key in clear text', () => {
  it('the clear text of a key is neither in the database nor in the log', async () => {
    await get({}, `?api_key=${key}`);
    const rows = await dumpRows(given.db);
    expect(rows).toMatch(/^api_keys \(/m);
    expect(rows).not.toContain(key);
    expect(given.logLines.length).toBeGreaterThan(0);
    expect(given.logLines.join('')).not.toContain(key);
  });
});
