// The management API authenticates before it reads a body, and refuses unsupported changes.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bothClients, keyClient, type TestClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing();
let workspaceId: bigint;
let clients: TestClient[];
let port = 0;

beforeAll(async () => {
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  port = (given.app.server.address() as { port: number }).port;
});

beforeEach(async () => {
  workspaceId = await given.workspace();
  clients = await bothClients(given, workspaceId);
});

describe('a wrong key in a management request', () => {
  const post = (key: string, type: string, payload: string, remoteAddress: string) =>
    given.app.inject({
      method: 'POST',
      url: '/api/v1/items',
      headers: { 'x-api-key': key, 'content-type': type },
      payload,
      remoteAddress,
    });

  it.each([
    ['a broken body', 'application/json', '{broken'],
    ['a wrong content type', 'text/csv', 'a,b'],
    ['an empty body', 'application/json', ''],
  ])('a wrong key or a missing scope is reported instead of %s', async (_title, type, payload) => {
    const wrong = await post('ck_live_nobody', type, payload, '10.1.0.1');
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'api_key_invalid']);
    const reading = await given.apiKey(workspaceId);
    const lacking = await post(reading, type, payload, '10.1.0.1');
    expect([lacking.statusCode, lacking.json().code]).toEqual([403, 'insufficient_scope']);
  });

  it('a wrong key with a wrong content type counts as a failed authentication', async () => {
    for (let i = 0; i < 60; i++) await post('ck_live_nobody', 'text/csv', 'a,b', '10.1.0.2');
    const limited = await post('ck_live_nobody', 'text/csv', 'a,b', '10.1.0.2');
    expect(limited.statusCode).toBe(429);
    expect(limited.headers.ratelimit).toMatch(/^"failed-authentications";r=0;t=\d+$/);
  });

  it('a wrong key is refused before the upload of a large file has ended', async () => {
    for (let i = 0; i < 10; i++) {
      const body = await new Promise<string>((resolve, reject) => {
        const path = '/api/v1/items/1/versions/1.0.0/file';
        const headers = { 'x-api-key': 'ck_live_nobody', 'content-type': 'application/zip' };
        const request = httpRequest({ port, path, method: 'PUT', headers }, (response) => {
          let text = '';
          response.on('data', (part) => {
            text += part;
          });
          response.on('end', () => resolve(text));
        });
        request.on('error', reject);
        request.end(Buffer.alloc(10 * 1024 * 1024));
      });
      expect(JSON.parse(body).code).toBe('api_key_invalid');
    }
  });
});

describe('a repeated key header', () => {
  const ask = (headers: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (part) => {
        text += part;
      });
      socket.on('close', () => resolve(/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(9, 12)));
      const start = 'GET /api/v1/items HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
      socket.write(`${start}${headers}\r\n`);
    });

  it.each([
    ['X-Api-Key', ''],
    ['Authorization', 'Bearer '],
  ])('a request with two %s headers is accepted only if both have the same key', async (name, scheme) => {
    const key = await given.apiKey(workspaceId, { scopes: ['items:write'] });
    const header = (value: string) => `${name}: ${scheme}${value}\r\n`;
    expect(await ask(header(key) + header(key))).toBe('200');
    expect(await ask(header(key) + header('ck_live_another'))).toBe('api_key_conflict');
    expect(await ask(header('ck_live_another') + header(key))).toBe('api_key_conflict');
  });
});

describe('a field that PATCH cannot change', () => {
  it.each([
    ['state', 'published', '/publish'],
    ['kind', 'video', 'created'],
    ['version', '2.0.0', '/versions'],
  ])('the error for the field %s names the operation that sets it', async (field, value, hint) => {
    const itemId = await given.item(workspaceId, { state: 'draft' });
    for (const client of clients) {
      const answer = await client.send('PATCH', `/items/${itemId}`, {
        name: 'New',
        [field]: value,
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
      expect(answer.body.errors[field][0]).toContain(hint);
      const read = await client.send('GET', `/items/${itemId}`);
      expect(read.body.data.item.name).toBe('Test item');
    }
  });
});

describe('a management request without a body', () => {
  it.each([{}, { 'content-type': 'application/json' }])(
    'a management request without a body is accepted with the headers %j',
    async (headers) => {
      const owner = await givenSignedIn(given, workspaceId);
      const itemId = await given.item(workspaceId, { state: 'draft' });
      const sent = { cookie: owner.cookie, origin: 'http://127.0.0.1:4100', ...headers };
      const url = `${owner.base}/items/${itemId}/withdraw`;
      const answer = await given.app.inject({ method: 'POST', url, headers: sent });
      expect(answer.json().code).toBe('item_state_conflict');
    },
  );
});

describe('a member of a workspace', () => {
  it('a member can neither set the balance nor erase a buyer', async () => {
    const member = await givenSignedIn(given, workspaceId, 'member');
    const owner = await givenSignedIn(given, workspaceId);
    const send = (by: typeof owner, method: 'PUT' | 'POST', path: string, payload: object) =>
      given.app.inject({
        method,
        url: `${by.base}${path}`,
        headers: { cookie: by.cookie, origin: 'http://127.0.0.1:4100' },
        payload,
      });
    for (const [method, path, body] of [
      ['PUT', '/account/balance', { balance: 5 }],
      ['POST', '/buyers/erase', { email: 'buyer@test.example' }],
    ] as const) {
      expect((await send(member, method, path, body)).json().code).toBe('forbidden');
      expect((await send(owner, method, path, body)).statusCode).toBe(200);
    }
  });
});

it('the error for an invalid page size names the allowed sizes', async () => {
  const key = await given.apiKey(workspaceId, { scopes: ['items:write', 'items:read'] });
  const sentence = 'must be a whole number from 1 to 100.';
  const list = await keyClient(given, key).send('GET', '/items?limit=101');
  expect(list.body.errors).toEqual({ limit: [sentence] });
  const url = '/api/items/all?per_page=101';
  const all = await given.app.inject({ url, headers: { 'x-api-key': key } });
  expect(all.json().errors).toEqual({ per_page: [sentence] });
});
