// The fast path serves plain requests, and passes every other request with its body to the router.
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRequestDurations } from '../../observability/request-durations.ts';
import { captureLog } from '../../testing/captured-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { type App, buildApp } from '../app.ts';
import { defineErrors, transportErrors } from '../errors.ts';
import { createOverloadResponder } from '../overload-response.ts';
import { type FastReply, serveFastPath } from './fast-path.ts';

const errors = defineErrors({ ...transportErrors });
const failure = errors.fail('internal_error', {
  cause: new Error('of the test'),
  extras: { more: 1 },
});
let app: App;
let later: ((reply: FastReply) => void) | undefined;
let release: (() => void) | undefined;
let admitted = 0;
const lines: string[] = [];
const durations = createRequestDurations();

async function open(
  options: { maxInFlight?: number; trustProxy?: string[]; requestTimeoutMs?: number } = {},
): Promise<number> {
  const log = captureLog('quick');
  lines.length = 0;
  const { trustProxy = [], requestTimeoutMs = 600_000, ...limits } = options;
  const { logger } = log;
  app = buildApp({ errors, logger, trustProxy, requestTimeoutMs, ...limits });
  serveFastPath(
    app,
    { errors, logger, durations, trustProxy },
    {
      path: '/quick',
      overload: createOverloadResponder({ errors, logger, path: '/quick' }),
      authorize: (raw, hasCapacity) => {
        admitted++;
        if (raw.headers['x-way'] === 'router') return undefined;
        if (!hasCapacity && raw.headers['x-way'] === 'cheap') return { extras: '"refused_by":"fast path"' };
        if (raw.headers['x-way'] === 'full') return { extras: '"more":1' };
        return (body, reply) => {
          const text = body.toString();
          if (text.includes('router')) return false;
          if (text.includes('fail')) reply.fail(failure);
          else if (text.includes('wait')) later = () => reply.send('{"way":"late"}');
          else if (text.includes('due')) {
            later = () => reply.send('{"way":"late"}');
            reply.answerBy(20, () => errors.fail('unavailable'));
          } else reply.send(JSON.stringify({ way: 'quick', body: text, address: reply.address }));
          return true;
        };
      },
    },
  );
  app.post('/quick', (request, reply) => reply.send({ way: 'router', body: request.body }));
  app.get('/held', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return {};
  });
  app.get('/address', async (request) => ({ address: request.ip }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  lines.push(...log.lines);
  return (app.server.address() as AddressInfo).port;
}

afterEach(async () => {
  later?.(undefined as never);
  later = undefined;
  release?.();
  release = undefined;
  await app.close();
});

async function post(port: number, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}/quick`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return {
    status: answer.status,
    headers: answer.headers,
    json: (await answer.json()) as Record<string, unknown>,
  };
}

test('the fast path answers a plain request with the headers that every answer has', async () => {
  const port = await open();
  const answer = await post(port, '{"a":"ü"}');
  expect(answer).toMatchObject({ status: 200, json: { way: 'quick', body: '{"a":"ü"}' } });
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a body in several packets is read completely by the fast path and by the router', async () => {
  const port = await open();
  const large = 'x'.repeat(30_000);
  for (const way of ['quick', 'router']) {
    const body = JSON.stringify({ way, large });
    const json = await new Promise<{ way: string; body: unknown }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length };
      const sent = httpRequest({ port, path: '/quick', method: 'POST', headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      });
      sent.on('error', reject);
      sent.write(body.slice(0, 7));
      setImmediate(() => sent.end(body.slice(7)));
    });
    expect(json.way).toBe(way);
    expect(way === 'quick' ? json.body : JSON.stringify(json.body)).toBe(body);
  }
});

test.each([
  ['the fast path does not accept the headers', '{}', { 'x-way': 'router' }],
  ['the fast path does not accept the body', '{"to":"router"}', {}],
  ['the media type has a parameter', '{}', { 'content-type': 'application/json; v=1' }],
])('the router serves the request if %s', async (_name, body, headers) => {
  const port = await open();
  expect(await post(port, body, headers)).toMatchObject({
    status: 200,
    json: { way: 'router', body: JSON.parse(body) },
  });
});

test('a failure on the fast path is answered with 500 in the common error shape', async () => {
  const port = await open();
  const { status, json } = await post(port, '"fail"');
  expect(status).toBe(500);
  expect(json).toMatchObject({ status: 'error', code: 'internal_error', more: 1 });
  expect(json.request_id).toMatch(/^req_/);
});

test('the requests of the fast path and of the router count towards one limit', async () => {
  const port = await open({ maxInFlight: 2 });
  const onFastPath = post(port, '"wait"');
  await untilWaiting();
  const inRouter = fetch(`http://127.0.0.1:${port}/held`);
  await eventually(() => expect(release).toBeDefined());
  for (const headers of [{}, { 'x-way': 'router' }]) {
    const refused = await post(port, '{}', headers);
    expect(refused).toMatchObject({ status: 503, json: { code: 'overloaded', retryable: true } });
  }
  const refused = await post(port, '{}', { 'x-way': 'cheap' });
  const json = { code: 'overloaded', retryable: true, refused_by: 'fast path' };
  expect(refused).toMatchObject({ status: 503, json });
  expect(app.inFlight.count).toBe(2);
  release?.();
  expect((await inRouter).status).toBe(200);
  await eventually(async () => expect((await post(port, '{}')).json.way).toBe('quick'));
  later?.(undefined as never);
  later = undefined;
  expect((await onFastPath).json.way).toBe('late');
  expect((await post(port, '{}', { 'x-way': 'router' })).json.way).toBe('router');
});

test('a request that the fast path passes to the router counts once towards the limit', async () => {
  const port = await open({ maxInFlight: 1 });
  expect((await post(port, '{"to":"router"}')).json.way).toBe('router');
  await eventually(() => expect(app.inFlight.count).toBe(0));
  expect((await post(port, '{}')).json.way).toBe('quick');
  expect(app.inFlight.count).toBe(0);
});

test('by default, a process works on at most 8,192 requests at the same time', async () => {
  await open();
  expect(app.inFlight).toEqual({ count: 0, max: 8192 });
});

test('the fast path and the router see the same client IP address, even behind a trusted proxy', async () => {
  const port = await open({ trustProxy: ['127.0.0.1'] });
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.4' };
  const quick = await post(port, '{}', headers);
  const routed = await fetch(`http://127.0.0.1:${port}/address`, { headers });
  expect(quick.json.address).toBe(((await routed.json()) as { address: string }).address);
  expect(quick.json.address).toBe('198.51.100.4');
});

test('answers of the fast path are counted by route and status', async () => {
  durations.reset();
  const port = await open();
  await post(port, '{}');
  await post(port, '"fail"');
  const counts = durations
    .get()
    .values.filter((each) => each.metricName.endsWith('_count'))
    .map(({ labels, value }) => [labels.route, labels.status, value]);
  expect(counts).toEqual([
    ['/quick', '200', 1],
    ['/quick', '500', 1],
  ]);
});

/** Sends the headers of a request. The returned `send` sends the body. The client keeps the socket open. */
function ask(port: number, body: string, more = '') {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}`;
  socket.write(`POST /quick HTTP/1.1\r\nhost: x\r\n${more}${head}\r\n\r\n`);
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return { socket, ended, send: () => socket.write(body) };
}

const untilWaiting = () => eventually(() => expect(later).toBeDefined());

test('an answer during a shutdown ends its connection, so that closing does not wait', async () => {
  const port = await open();
  // The server never closes an idle connection by itself. If closing waited for the connection, the test
  // would not end.
  app.server.keepAliveTimeout = 0;
  const { ended, send } = ask(port, '"wait"');
  send();
  await untilWaiting();
  const closed = app.close();
  await eventually(() => expect(app.server.listening).toBe(false));
  later?.(undefined as never);
  later = undefined;
  expect(await ended).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*late/i);
  await closed;
});

test('a request with an incomplete body counts as in flight until its connection is closed', async () => {
  const port = await open({ maxInFlight: 1 });
  const { socket, ended } = ask(port, '"never sent"');
  await eventually(async () => expect((await post(port, '{}')).json.code).toBe('overloaded'));
  socket.destroy();
  await ended;
  await eventually(async () => expect((await post(port, '{}')).json.way).toBe('quick'));
});

test('a waiting request is answered at its deadline, and a later answer is discarded', async () => {
  const port = await open();
  const answer = await post(port, '{"due":true}');
  expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable', retryable: true } });
  // This late answer is discarded, and the connection serves the next request.
  later?.(undefined as never);
  later = undefined;
  expect((await post(port, '{"a":1}')).json).toMatchObject({ way: 'quick' });
});

test('an overload answer is sent before the body arrives, and the connection stays usable', async () => {
  const port = await open({ maxInFlight: 1 });
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const head = (way: string) =>
    `POST /quick HTTP/1.1\r\nhost: x\r\nx-way: ${way}\r\n` +
    'content-type: application/json\r\ncontent-length: 2\r\n\r\n';
  socket.write(head('full'));
  await eventually(() => expect(received).toMatch(/^HTTP\/1\.1 503 [\s\S]*\}$/));
  expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toEqual({
    ...errors.fail('overloaded').toBody(expect.stringMatching(/^req_/) as never),
    more: 1,
  });
  received = '';
  socket.write(`{}${head('quick')}{}`);
  await eventually(() => expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*"quick"/));
  socket.destroy();
});

test('an overload answer that ends the connection is sent only after the body was read', async () => {
  const port = await open();
  admitted = 0;
  const { socket, ended } = ask(port, '{}', 'x-way: full\r\nconnection: close\r\n');
  await eventually(() => expect(admitted).toBe(1));
  // Waits until another request is answered. An overload answer that was sent too early would have arrived
  // before that answer.
  await post(port, '{}');
  expect(socket.bytesRead).toBe(0);
  socket.write('{}');
  expect(await ended).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*overloaded/i);
});

test('a client gets no second answer if it never sends the body after an overload answer', async () => {
  const port = await open({ requestTimeoutMs: 100 });
  // Node's time limits start when the connection opens, so the test turns them on only after the headers of
  // both requests were read.
  Object.assign(app.server, { requestTimeout: 0, headersTimeout: 0 });
  admitted = 0;
  const refused = ask(port, '{}', 'x-way: full\r\n');
  const unread = ask(port, '{}');
  await eventually(() => expect([admitted, refused.socket.bytesRead > 0]).toEqual([2, true]));
  app.server.requestTimeout = 100;
  expect((await refused.ended).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503']);
  expect((await unread.ended).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408']);
});
