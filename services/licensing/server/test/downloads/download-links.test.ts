// Download links: the error of each invalid request, the page of an invalid link, and ETags.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let clients: TestClient[];
let itemId: bigint;
let path: string;

const octets = { 'content-type': 'application/octet-stream' };

beforeAll(async () => {
  given = await givenLicensing({ UPLOAD_MAX_BYTES: String(1024 * 1024) });
  workspaceId = await given.workspace();
  clients = await bothClients(given, workspaceId);
  itemId = await given.item(workspaceId);
  const file = `/items/${itemId}/versions/1.0.0/file`;
  expect((await clients[0]?.send('PUT', file, Buffer.from('abc'), octets))?.status).toBe(200);
  const { id } = await given.purchase(workspaceId, itemId);
  path = `/purchases/${id}/download-links`;
});

afterAll(() => given.close());

it.each([
  [{ hours: 0 }, 'hours'],
  [{ hours: 721 }, 'hours'],
  [{ hours: '5' }, 'hours'],
  [{ version: 'new' }, 'version'],
])('a request for a link with the body %j is refused, and the error names the field', async (body, field) => {
  for (const client of clients) {
    const answer = await client.send('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  }
});

it('a link for an unknown version is refused with 404', async () => {
  const answer = await clients[0]?.send('POST', path, { version: '9.9.9' });
  expect(answer).toMatchObject({ status: 404, body: { code: 'version_not_found' } });
});

it('a link can be made with no body, an empty body or {}, but not with a list', async () => {
  const json = { 'content-type': 'application/json' };
  for (const [body, headers] of [
    [undefined, {}],
    [Buffer.alloc(0), json],
    [{}, {}],
  ] as const) {
    expect((await clients[0]?.send('POST', path, body, headers))?.status).toBe(200);
  }
  const list = await clients[0]?.send('POST', path, []);
  expect(list).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
});

it('a download with If-None-Match: * gets 304', async () => {
  const made = await clients[0]?.send('POST', path);
  const url = new URL(made?.body.data.url).pathname;
  const known = await given.app.inject({ url, headers: { 'if-none-match': '*' } });
  expect([known.statusCode, known.body]).toEqual([304, '']);
});

it('an upload that grows too large while it is received is refused', async () => {
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = given.app.server.address() as { port: number };
  const key = await given.apiKey(workspaceId, { scopes: ['items:write'] });
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.on('data', (part) => {
      received += part;
    });
    socket.write(
      `PUT /api/v1/items/${itemId}/versions/1.0.0/file HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n` +
        'Content-Type: application/zip\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const part = Buffer.alloc(1024 * 1024);
    for (let i = 0; i < 10; i++) {
      socket.write(`${part.length.toString(16)}\r\n`);
      socket.write(part);
      socket.write('\r\n');
    }
  });
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('"code":"body_too_large"');
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('a download link', () => {
  const makeLink = async (): Promise<string> => {
    const made = await clients[0]?.send('POST', path, { hours: 1 });
    return new URL(made?.body.data.url).pathname;
  };
  const open = (url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET') =>
    given.app.inject({ method, url, headers: accept === undefined ? {} : { accept } });

  /** Runs the work with the clock set to a time after the link has expired. */
  const afterItsEnd = async (work: () => Promise<void>) => {
    const before = given.clock.now;
    given.clock.now = new Date(before.getTime() + 3_700_000);
    await work().finally(() => {
      given.clock.now = before;
    });
  };

  it('for a link that opens no file, a browser gets a page with the reason and the next step', async () => {
    const link = await makeLink();
    await afterItsEnd(async () => {
      const page = await open(link, browser);
      expect(page.statusCode).toBe(404);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.body).toContain('<h1>This download link has expired</h1>');
      expect(page.body).toContain('Ask the seller for a new link.');
      expect(page.body).toContain('<div lang="de">');
      expect(page.body).not.toContain('<script');
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/,
      );
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'accept' });
      expect(page.headers['x-request-id']).toBeDefined();
    });
    const wrong = await open(`${link.slice(0, -4)}AAAA`, browser);
    expect(wrong.statusCode).toBe(404);
    expect(wrong.body).toContain('<h1>This download link does not work</h1>');
    const planted = await open('/downloads/%3Cimg%20src%3Dx%3E', browser);
    expect(planted.body).not.toContain('<img');
    expect((await open(`${link}x`, browser, 'HEAD')).statusCode).toBe(404);
  });

  it('for a link that opens no file, a program gets a JSON error, even if it accepts HTML', async () => {
    const link = await makeLink();
    await afterItsEnd(async () => {
      const either = 'application/json, text/html';
      for (const accept of [undefined, '*/*', 'application/json', either, 'text/html;q=0, */*']) {
        const answer = await open(link, accept);
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'download_not_found']);
        expect(answer.headers.vary).toContain('accept');
      }
    });
  });

  it('a link that works gives a browser the file', async () => {
    const answer = await open(await makeLink(), browser);
    expect([answer.statusCode, answer.body]).toEqual([200, 'abc']);
  });
});
