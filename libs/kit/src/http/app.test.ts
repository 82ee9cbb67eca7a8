// Every request, even an invalid one, gets a JSON answer, and all errors have the common shape.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../observability/logging.ts';
import { DatabaseUnavailableError } from '../postgres/db.ts';
import { eventually } from '../testing/eventually.ts';
import { type App, buildApp } from './app.ts';
import { defineErrors, transportErrors } from './errors.ts';
import { PrintableText } from './text.ts';

const errors = defineErrors({
  ...transportErrors,
  too_sad: { status: 409, msg: 'Too sad', retryable: false },
});

const lines: string[] = [];
const logger = createLogger({
  service: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(line) },
});
let app: App;
let port = 0;
/**
 * One function per waiting request of `/slow`, in order of arrival. Calling a function lets its request
 * continue.
 */
const held: (() => void)[] = [];

beforeAll(async () => {
  app = buildApp({ errors, logger, maxInFlight: 50 });
  app.get('/things/:id', async () => ({ ok: true }));
  app.post(
    '/things',
    {
      schema: {
        body: Type.Object({
          name: PrintableText({ min: 1, max: 5 }),
          count: Type.Optional(Type.Integer()),
        }),
      },
    },
    async () => ({ ok: true }),
  );
  const closed = Type.Object({ name: Type.Optional(Type.String()) }, { additionalProperties: false });
  app.post('/closed', { schema: { body: closed } }, async () => ({}));
  const per_page = Type.String({ pattern: '^([1-9][0-9]?|100)$' });
  app.get('/pages', { schema: { querystring: Type.Object({ per_page }) } }, async () => ({}));
  app.post('/bare', async (request) => ({ body: request.body ?? 'none' }));
  const Choices = Type.Object({
    list: Type.Optional(Type.Array(Type.Integer({ minimum: 3 }), { minItems: 1, maxItems: 2 })),
    end: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
    thing: Type.Optional(Type.Unsafe<object | null>({ type: ['object', 'null'] })),
    word: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    fixed: Type.Optional(Type.Literal(7)),
  });
  const choices = { schema: { body: Choices }, config: { optionalBody: true } };
  app.post('/choices', choices, async (request) => ({ body: request.body }));
  app.get('/slow', () => new Promise((resolve) => held.push(() => resolve({ ok: true }))));
  app.get('/crash', async () => {
    throw new Error('ck_live_abcdefghijklmnop leaked');
  });
  app.get('/no-database', async () => {
    throw new DatabaseUnavailableError('gone');
  });
  app.get('/refused', async () => {
    throw errors.fail('too_sad', { errors: { a: ['b'] }, data: { balance: 1 } });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});

afterAll(() => app.close());

/** Sends raw bytes and reads until the server closes the connection. */
function raw(bytes: string, at = port): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(at, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', () => resolve(received));
  });
}

/** Releases the next `count` requests of `/slow`, one at a time, as they arrive. */
async function letGo(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await eventually(() => expect(held.length).toBeGreaterThan(0));
    held.shift()?.();
  }
}

function parseAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  return { status, head, body: JSON.parse(body) as Record<string, unknown> };
}

const shape = (code: string) => ({
  status: 'error',
  code,
  msg: expect.any(String),
  request_id: expect.stringMatching(/^req_/),
  retryable: expect.any(Boolean),
});

describe('the HTTP server, before the router', () => {
  const get = (path: string, headers = 'Host: x\r\nConnection: close\r\n') =>
    `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
  it.each([
    ['garbage', 'nonsense\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['a missing Host', get('/things/1', 'Connection: close\r\n'), 400, 'malformed_request'],
    ['an invalid percent escape', get('/things/%zz'), 400, 'malformed_request'],
    [
      'two length headers',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a content length together with chunks',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['a URL over 8 KiB', get(`/things/${'a'.repeat(9000)}`), 414, 'uri_too_long'],
    ['a URL over 40 KiB', get(`/things/${'a'.repeat(40_000)}`), 414, 'uri_too_long'],
    [
      'headers over 32 KiB',
      get('/things/1', `Host: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n`),
      431,
      'headers_too_large',
    ],
    [
      'an unknown expectation',
      get('/things/1', 'Host: x\r\nExpect: a-miracle\r\n'),
      417,
      'expectation_failed',
    ],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed_request'],
  ])('the server answers %s with an error in JSON', async (_title, bytes, status, code) => {
    const answer = parseAnswer(await raw(bytes));
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(shape(code));
    expect(answer.head.toLowerCase()).toContain('content-type: application/json');
    expect(answer.head.toLowerCase()).toContain('x-request-id: req_');
  });

  it.each([
    ['an unknown expectation', 'HEAD /things/1 HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n', 417],
    ['two length headers', 'HEAD / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a missing Host', 'HEAD /things/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a URL over 40 KiB', `HEAD /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
  ])('the server refuses a HEAD request with %s, and sends no body', async (_title, bytes, status) => {
    const [head = '', rest] = (await raw(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(rest).toBe('');
  });

  it('an incomplete request is answered with 408 after the time limit', async () => {
    const logger = createLogger({ service: 'test', level: 'silent' });
    const impatient = buildApp({ errors, logger, requestTimeoutMs: 100 });
    onTestFinished(() => impatient.close());
    impatient.post('/things', async () => ({ ok: true }));
    await impatient.listen({ host: '127.0.0.1', port: 0 });
    const text = await raw(
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a',
      (impatient.server.address() as { port: number }).port,
    );
    const answer = parseAnswer(text);
    expect(answer.status).toBe(408);
    expect(answer.body).toEqual(shape('request_timeout'));
  });

  it('a valid request is answered although invalid bytes follow it', async () => {
    const answered = raw('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    await letGo(1);
    const text = await answered;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('{"ok":true}');
  });

  it('the server treats an absolute URL like a relative URL', async () => {
    expect(await raw(get('http://x/things/1'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('the server accepts an HTTP/1.0 request without Host', async () => {
    expect(await raw('GET /things/1 HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the router and the routes', () => {
  it.each([
    ['an unknown path', 'GET', '/nothing', 404, 'route_not_found'],
    ['a path parameter of 600 characters', 'GET', `/things/${'a'.repeat(600)}`, 404, 'route_not_found'],
    ['a path in a wrong letter case', 'GET', '/Things/1', 404, 'route_not_found'],
    ['a crash', 'GET', '/crash', 500, 'internal_error'],
    ['a lost database', 'GET', '/no-database', 503, 'unavailable'],
  ] as const)(
    'the problem “%s” is answered with its error code',
    async (_title, method, url, status, code) => {
      const answer = await app.inject({ method, url });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toEqual(shape(code));
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
    },
  );

  it('a wrong method is answered with 405 and the list of allowed methods', async () => {
    const one = await app.inject({ method: 'DELETE', url: '/things/1?x=1' });
    expect([one.statusCode, one.headers.allow]).toEqual([405, 'GET, HEAD']);
    const all = await app.inject({ method: 'GET', url: '/things' });
    expect([all.statusCode, all.headers.allow, all.json().code]).toEqual([405, 'POST', 'method_not_allowed']);
    const options = await app.inject({ method: 'OPTIONS', url: '/things' });
    expect(options.statusCode).toBe(405);
  });

  it('a HEAD request is answered with 200 and no body', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/things/1' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  });

  it.each([
    ['broken JSON', 'application/json', '{"a":', 400, 'invalid_body'],
    ['an empty body', 'application/json', '', 400, 'invalid_body'],
    ['a field called __proto__', 'application/json', '{"__proto__":{"x":1}}', 400, 'invalid_body'],
    ['an array', 'application/json', '[]', 400, 'invalid_body'],
    ['null', 'application/json', 'null', 400, 'invalid_body'],
    ['the content type text/csv', 'text/csv', 'a,b', 415, 'unsupported_media_type'],
    ['a body over 64 KiB', 'application/json', `"${'a'.repeat(70_000)}"`, 413, 'body_too_large'],
    ['a NUL', 'application/json', '{"name":"a\\u0000"}', 400, 'invalid_parameter'],
    ['a lone surrogate', 'application/json', '{"name":"\\ud800"}', 400, 'invalid_parameter'],
    ['a number instead of a text', 'application/json', '{"name":5}', 400, 'invalid_parameter'],
    ['a text instead of a number', 'application/json', '{"name":"a","count":"5"}', 400, 'invalid_parameter'],
    [
      'six characters if at most five are allowed',
      'application/json',
      '{"name":"abcdef"}',
      400,
      'invalid_parameter',
    ],
  ])('a POST with %s is refused', async (_title, type, payload, status, code) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': type },
      payload,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject(shape(code));
  });

  it('the error describes the fault of each field in a sentence', async () => {
    const answer = await app.inject({ method: 'POST', url: '/things', payload: { count: 'x' } });
    expect(answer.json().errors).toEqual({
      name: ['is required.'],
      count: ['must be an integer.'],
    });
  });

  it.each(['extra', 'toString', 'constructor', 'hasOwnProperty', 'a/b~c', 'a~1b'])(
    'the error names the unknown field %s',
    async (name) => {
      const answer = await app.inject({ method: 'POST', url: '/closed', payload: { [name]: 1 } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toEqual({ [name]: ['is not a field of this request.'] });
    },
  );

  it.each([
    [{ list: [] }, { list: ['must have at least 1 entry.'] }],
    [{ list: [3, 4, 5] }, { list: ['must have at most 2 entries.'] }],
    [{ list: [1] }, { 'list.0': ['must be at least 3.'] }],
    [{ end: 5 }, { end: ['must be a string or null.'] }],
    [{ end: 'long' }, { end: ['must have at most 3 characters.'] }],
    [{ thing: [] }, { thing: ['must be an object or null.'] }],
    [{ word: 'c' }, { word: ['must be "a" or "b".'] }],
    [{ fixed: 8 }, { fixed: ['must be 7.'] }],
  ])('the error explains the fault of the body %j in plain words', async (payload, expected) => {
    const answer = await app.inject({ method: 'POST', url: '/choices', payload });
    expect(answer.json().errors).toEqual(expected);
  });

  it.each(['101', '0', 'x', '1.5'])(
    'per_page=%s is refused, and the error names the range',
    async (given) => {
      const answer = await app.inject({ url: `/pages?per_page=${given}` });
      expect(answer.json().errors).toEqual({ per_page: ['must be a whole number from 1 to 100.'] });
    },
  );

  it('a route without a body accepts an empty body; an empty optional body is read as {}', async () => {
    const post = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ method: 'POST', url, headers, payload: '' })).json();
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      expect(await post('/bare', headers)).toEqual({ body: 'none' });
      expect(await post('/choices', headers)).toEqual({ body: {} });
    }
  });

  it('the length of a text is limited in characters, not in code units', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/things',
      payload: { name: '😀😀😀😀😀' },
    });
    expect(answer.statusCode).toBe(200);
  });

  it('an error answer contains the fields, the data and the status of the thrown error', async () => {
    const answer = await app.inject({ url: '/refused' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({
      ...shape('too_sad'),
      msg: 'Too sad',
      errors: { a: ['b'] },
      data: { balance: 1 },
    });
  });

  it('requests above the maximum number of concurrent requests are refused immediately', async () => {
    let answered = 0;
    const asked = Array.from({ length: 60 }, async () => {
      const answer = await app.inject({ url: '/slow' });
      answered++;
      return answer;
    });
    await eventually(() => expect([held.length, answered]).toEqual([50, 10]));
    await letGo(50);
    const answers = await Promise.all(asked);
    const overloaded = answers.filter((answer) => answer.statusCode === 503);
    expect(overloaded).toHaveLength(10);
    expect(overloaded[0]?.json()).toEqual(shape('overloaded'));
    const next = app.inject({ url: '/slow' });
    await letGo(1);
    expect((await next).statusCode).toBe(200);
  });
});

describe('logs', () => {
  it('logs contain the path of a request, but neither its query nor a secret inside an error', async () => {
    await app.inject({ url: '/things/1?api_key=ck_live_canarycanary' });
    await app.inject({ url: '/crash?api_key=ck_live_canarycanary' });
    await app.inject({ url: '/nothing?api_key=ck_live_canarycanary' });
    const all = lines.join('');
    expect(all).toContain('"path":"/things/1"');
    expect(all).toContain('[redacted] leaked');
    expect(all).not.toContain('canary');
    expect(all).not.toContain('ck_live_abcdefghijklmnop');
  });
});

describe('the order of answers', () => {
  it.each([
    ['a wrong path', '/nothing', 404],
    ['a wrong method', '/things/1', 405],
  ])('the problem “%s” is reported before problems of the body', async (_title, url, status) => {
    for (const payload of ['{broken', '', `"${'a'.repeat(70_000)}"`]) {
      const headers = { 'content-type': 'application/json' };
      const answer = await app.inject({ method: 'POST', url, headers, payload });
      expect(answer.statusCode).toBe(status);
    }
  });

  it('a 404 before the body arrives closes the connection, and no second answer follows', async () => {
    const bytes = 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nabc';
    const text = await raw(bytes);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/i);
  });

  it('three valid requests are answered although invalid bytes follow them', async () => {
    const good = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n';
    const answered = raw(`${good}${good}${good}nonsense\r\n\r\n`);
    await letGo(3);
    const text = await answered;
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });
});

describe('a refusal while the body is still being sent', () => {
  /** Sends the whole body and resolves with the answer; rejects if the connection fails. */
  const send = (path: string, bytes: number, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = httpRequest(
        { port, path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (part) => {
            body += part;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(Buffer.alloc(bytes, 97));
    });

  it.each([
    ['with a content length', { 'content-length': String(10 * 1024 * 1024) }, '/things', 413],
    ['in chunks', { 'transfer-encoding': 'chunked' }, '/things', 413],
    ['to an unknown path', {}, '/nothing', 404],
  ])('the refusal reaches a client that sends 10 MB %s', async (_title, headers, path, status) => {
    for (let i = 0; i < 3; i++) {
      const answer = await send(path, 10 * 1024 * 1024, headers);
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toMatchObject({ status: 'error' });
    }
  });

  const refusedUpload = 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n';

  it('the refusal reaches a client that reads only after it has sent everything', async () => {
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1').pause();
      let text = '';
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.write(refusedUpload);
      socket.write(Buffer.alloc(20 * 1024 * 1024), () => {
        socket.on('data', (part) => {
          text += part;
        });
        socket.resume();
      });
    });
    expect(parseAnswer(received).body).toEqual(shape('route_not_found'));
  });

  // This test has a client that keeps sending. lingering-close.test.ts tests a client that sends nothing.
  it('a client that keeps sending is disconnected, and none of its further requests is read', async () => {
    const impatient = buildApp({ errors, logger, lingerMs: 300 });
    onTestFinished(() => impatient.close());
    await impatient.listen({ host: '127.0.0.1', port: 0 });
    const address = impatient.server.address() as AddressInfo;
    const text = await new Promise<string>((resolve) => {
      const socket = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
      let received = '';
      socket.write('POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n');
      const drip = setInterval(() => socket.write('abcdGET /things/777 HTTP/1.1\r\nHost: x\r\n\r\n'), 100);
      socket.on('data', (part) => {
        received += part;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        resolve(received);
      });
    });
    expect(text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect(lines.join('')).not.toContain('/things/777');
  });
});

it('a refusal of a request without a body leaves the connection open', async () => {
  const ask = (more = '') => `GET /nothing HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const text = await raw(`${ask()}${ask()}${ask('Connection: close\r\n')}`);
  expect(text.match(/HTTP\/1\.1 404/g)).toHaveLength(3);
});

describe('a malformed request', () => {
  it.each(['%zz', '%ff', '%ed%a0%80', '%c3'])('a request with %s in the URL is refused', async (escaped) => {
    expect((await app.inject({ url: `/things/1?x=${escaped}` })).json().code).toBe('malformed_request');
  });

  it('a JSON body with a byte that is not UTF-8 is refused', async () => {
    const payload = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/json' };
    const answer = await app.inject({ method: 'POST', url: '/things', headers, payload });
    expect(answer.json().code).toBe('invalid_body');
  });

  it('a request with two Host headers is refused', async () => {
    const text = await raw('GET /things/1 HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n');
    expect(parseAnswer(text).body).toEqual(shape('malformed_request'));
  });

  it('a request gets 431 if its headers become too long with the second packet', async () => {
    const connected = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const [accepted] = await connected;
    const first = 'GET /things/1 HTTP/1.1\r\nHost: x\r\nX-Big: ';
    socket.write(first);
    await eventually(() => expect(accepted.bytesRead).toBe(first.length));
    socket.write('a'.repeat(40_000));
    await new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
    expect(parseAnswer(received).status).toBe(431);
  });
});

it('a reset of the connection after a pipelined CONNECT does not end the process', async () => {
  const isConnected = new Promise<Socket>((resolve) =>
    app.server.once('connect', (_request, peer) => resolve(peer as Socket)),
  );
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  const peer = await isConnected;
  // An error event without a listener would be an uncaught exception.
  expect(peer.listenerCount('error')).toBeGreaterThan(0);
  const isClosed = new Promise((resolve) => peer.once('close', resolve));
  client.resetAndDestroy();
  await isClosed;
  held.shift()?.();
});

it('a running request is answered when the service closes, and its connection ends', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const leaving = buildApp({ errors, logger });
  let answer: (value: object) => void = () => {};
  const asked = new Promise<void>((resolve) => {
    leaving.get('/late', () => {
      resolve();
      return new Promise<object>((later) => {
        answer = later;
      });
    });
  });
  await leaving.listen({ host: '127.0.0.1', port: 0 });
  const { port: own } = leaving.server.address() as { port: number };
  const socket = connect(own, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  await asked;
  const closed = leaving.close();
  await eventually(() => expect(leaving.server.listening).toBe(false));
  answer({ ok: true });
  await Promise.all([closed, ended]);
  expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*"ok":true/i);
});
