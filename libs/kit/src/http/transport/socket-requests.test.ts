// Plain requests with a known head are served from the socket. The tests also check the behavior of Node on
// which this path depends, so they must pass with each supported version of Node.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createRequestDurations } from '../../observability/request-durations.ts';
import { captureLog } from '../../testing/captured-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { type App, buildApp } from '../app.ts';
import { defineErrors, transportErrors } from '../errors.ts';
import { createOverloadResponder } from '../overload-response.ts';
import { type FastReply, serveFastPath, serveFastRead } from './fast-path.ts';

const errors = defineErrors({ ...transportErrors });
const durations = createRequestDurations();
let app: App;
let port: number;
let parsed: string[];
let executed: string[];
let held: (() => void)[];
let isFull = false;
let peers: Socket[];
let logLines: string[];

interface Options {
  readonly servesFromSockets?: boolean;
  readonly maxInFlight?: number;
  readonly maxRequestsPerSocket?: number;
}

async function open({ maxRequestsPerSocket = 0, ...options }: Options = {}): Promise<void> {
  const { logger, lines } = captureLog('sockets');
  logLines = lines;
  [parsed, executed, held, peers, isFull] = [[], [], [], [], false];
  durations.reset();
  app = buildApp({ errors, logger, servesFromSockets: true, requestTimeoutMs: 600_000, ...options });
  app.server.maxRequestsPerSocket = maxRequestsPerSocket;
  app.server.on('connection', (socket) => void peers.push(socket));
  const overload = createOverloadResponder({ errors, logger, path: '/order' });
  const given = { errors, logger, durations };
  const handle = (body: Buffer, reply: FastReply): boolean => {
    const text = body.toString();
    if (text.includes('router')) return false;
    executed.push(text);
    const answer = () => {
      if (text.includes('fail')) reply.fail(errors.fail('unavailable'));
      else reply.send(JSON.stringify({ fast: text, address: reply.address, request_id: reply.requestId }));
    };
    if (text.includes('hold')) held.push(answer);
    else answer();
    return true;
  };
  serveFastPath(app, given, {
    path: '/order',
    overload,
    authorize: ({ headers }) => {
      if (headers['x-key'] !== 'right') return undefined;
      return isFull ? { extras: '"more":1' } : handle;
    },
  });
  serveFastRead(app, given, {
    path: '/read',
    authorize: (_raw, query) => (reply) => {
      executed.push(query);
      reply.send(JSON.stringify({ query, request_id: reply.requestId }));
    },
  });
  app.post('/order', (request, reply) => reply.send({ router: request.body }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.prependListener('request', ({ url }) => void parsed.push(String(url)));
  port = (app.server.address() as AddressInfo).port;
}

const callers: Caller[] = [];
afterEach(async () => {
  for (const caller of callers.splice(0)) caller.socket.destroy();
  for (const answer of held) answer();
  await app.close();
});

interface Caller {
  readonly socket: Socket;
  /** The service's end of the connection. */
  readonly peer: Socket;
  text: string;
  isEnded: boolean;
}

async function call(): Promise<Caller> {
  const socket = connect(port, '127.0.0.1');
  await eventually(() => expect(peers.some(({ remotePort }) => remotePort === socket.localPort)).toBe(true));
  const peer = peers.find(({ remotePort }) => remotePort === socket.localPort) as Socket;
  const caller: Caller = { socket, peer, text: '', isEnded: false };
  socket.setEncoding('latin1').on('data', (chunk) => {
    caller.text += chunk;
  });
  socket.on('error', () => {});
  socket.once('end', () => {
    caller.isEnded = true;
  });
  callers.push(caller);
  return caller;
}

const post = (body: string, more = '') =>
  `POST /order HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Key: right\r\n${more}` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

const listAnswers = ({ text }: Caller) =>
  text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((each) => each !== '')
    .map((each) => ({ status: Number(each.slice(9, 12)), body: each.split('\r\n\r\n')[1] ?? '' }));

/** Sends text, and returns the answer after `count` answers have arrived. */
async function send(caller: Caller, text: string, count = listAnswers(caller).length + 1) {
  caller.socket.write(text, 'latin1');
  await eventually(() => {
    expect(listAnswers(caller)).toHaveLength(count);
    expect(caller.text.endsWith('}')).toBe(true);
  });
  return JSON.parse(listAnswers(caller).at(-1)?.body ?? '');
}

it('node:http parses the first request of a connection; the others are served from the socket', async () => {
  await open();
  const caller = await call();
  for (const body of ['{"a":1}', '{"a":1234}', '{"b":[]}']) {
    expect(await send(caller, post(body))).toMatchObject({ fast: body, address: '127.0.0.1' });
  }
  expect(parsed).toEqual(['/order']);
  expect(executed).toHaveLength(3);
  const other = await call();
  await send(other, post('{"a":1}'));
  expect(parsed).toEqual(['/order', '/order']);
});

it('without servesFromSockets, node:http parses every request', async () => {
  await open({ servesFromSockets: false });
  const caller = await call();
  for (let i = 0; i < 3; i++) await send(caller, post('{}'));
  expect(parsed).toHaveLength(3);
});

it('a server with a limit of requests per connection serves nothing from sockets', async () => {
  await open({ maxRequestsPerSocket: 3 });
  const caller = await call();
  for (let i = 0; i < 3; i++) await send(caller, post('{}'));
  expect(parsed).toHaveLength(3);
});

it('an answer from the socket has the same bytes as an answer of node:http', async () => {
  await open();
  const caller = await call();
  const clean = () =>
    caller.text
      .replace(/req_[\w-]{36}/g, 'REQUEST')
      .replace(/^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/gm, 'D');
  for (const body of ['{"a":"\xe4"}', '{"fail":1}']) {
    caller.text = '';
    await send(caller, post('{"before":1}'));
    caller.text = '';
    await send(caller, post(body));
    const fromSocket = clean();
    const again = await call();
    await send(again, post(body));
    caller.text = again.text;
    expect(fromSocket).toBe(clean());
  }
  isFull = true;
  caller.text = '';
  await send(caller, post('{}'));
  expect(caller.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(caller.text).toContain('"more":1');
  // Each of the three connections sent one request to node:http.
  expect(parsed).toHaveLength(3);
});

it('after a refusal because of overload, the connection is served from the socket', async () => {
  await open();
  isFull = true;
  const caller = await call();
  for (let i = 0; i < 3; i++) expect(await send(caller, post('{}'))).toMatchObject({ code: 'overloaded' });
  isFull = false;
  expect(await send(caller, post('{"a":1}'))).toMatchObject({ fast: '{"a":1}' });
  expect([parsed, executed]).toEqual([['/order'], ['{"a":1}']]);
  expect(app.inFlight.count).toBe(0);
});

it('a GET request is served from the socket if its bytes equal those of the previous GET', async () => {
  await open();
  const caller = await call();
  const read = (query: string) => `GET /read?${query} HTTP/1.1\r\nHost: x\r\n\r\n`;
  for (const query of ['a', 'a', 'b', 'b', 'a'])
    expect(await send(caller, read(query))).toMatchObject({ query });
  expect(parsed).toEqual(['/read?a', '/read?b', '/read?a']);
});

it('requests that alternate between two routes on one connection are served from the socket', async () => {
  await open();
  const caller = await call();
  for (let i = 0; i < 3; i++) {
    await send(caller, post('{}'));
    await send(caller, 'GET /read?a HTTP/1.1\r\nHost: x\r\n\r\n');
  }
  expect(parsed).toEqual(['/order', '/read?a']);
  await send(caller, 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
  await send(caller, post('{}'));
  expect(parsed).toEqual(['/order', '/read?a', '/nothing']);
});

it('a request that the fast path leaves to the router reaches the router once', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  expect(await send(caller, post('{"router":1}'))).toEqual({ router: { router: 1 } });
  await send(caller, post('{"a":1}'));
  expect([parsed.length, executed]).toEqual([2, ['{}', '{"a":1}']]);
  expect(app.inFlight.count).toBe(0);
});

it('requests beyond the limit of concurrent requests get the answer of the router', async () => {
  await open({ maxInFlight: 1 });
  const [one, other] = [await call(), await call()];
  await send(one, post('{}'));
  await send(other, post('{}'));
  one.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  expect(await send(other, post('{}'))).toMatchObject({ code: 'overloaded' });
  held.shift()?.();
  await eventually(() => expect(listAnswers(one)).toHaveLength(2));
  expect(await send(other, post('{}'))).toMatchObject({ fast: '{}' });
});

it('requests that arrive during a request are served after it, in the order of arrival', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  caller.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  caller.socket.write(post('{"a":2}') + post('{"a":3}'));
  await eventually(() => expect(caller.peer.isPaused()).toBe(true));
  expect(executed).toEqual(['{}', '{"hold":1}']);
  held.shift()?.();
  await eventually(() => expect(listAnswers(caller)).toHaveLength(4));
  expect(executed).toEqual(['{}', '{"hold":1}', '{"a":2}', '{"a":3}']);
  expect(listAnswers(caller).map(({ body }) => JSON.parse(body).fast)).toEqual(executed);
});

it('the service stops reading from a client that keeps sending during a request', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  caller.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  const many = 4000;
  for (let i = 0; i < many; i++) caller.socket.write(post('{"long":"0123456789012345678901234567890123"}'));
  const { length } = post('{"long":"0123456789012345678901234567890123"}');
  let read = -1;
  while (read !== caller.peer.bytesRead) {
    read = caller.peer.bytesRead;
    for (let turns = 0; turns < 100; turns++) await nextTurn();
  }
  expect(read).toBeLessThan((many * length) / 2);
  expect(executed).toHaveLength(2);
  held.shift()?.();
  await eventually(() => expect(listAnswers(caller)).toHaveLength(many + 2));
  expect(executed).toHaveLength(many + 2);
});

it('the idle timeout of a connection does not run during a request, and runs after it', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  const idleMs = caller.peer.timeout;
  expect(idleMs).toBeGreaterThan(0);
  caller.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  expect(caller.peer.timeout).toBe(0);
  held.shift()?.();
  await eventually(() => expect(listAnswers(caller)).toHaveLength(2));
  expect(caller.peer.timeout).toBe(idleMs);
});

it('a connection whose last request was served from the socket is closed at the idle timeout', async () => {
  await open();
  const caller = await call();
  for (let i = 0; i < 2; i++) await send(caller, post('{}'));
  const setTimeout = caller.peer.setTimeout.bind(caller.peer);
  caller.peer.setTimeout = (ms) => setTimeout(ms && 1);
  await send(caller, post('{}'));
  expect(parsed).toHaveLength(1);
  await eventually(() => expect(caller.isEnded).toBe(true));
  expect(caller.text.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
});

it('the time limits for receiving a request do not end a connection with a running request', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  caller.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  // Node checks these limits every 500 ms. A connection without a request is closed by the check.
  const silent = connect(port, '127.0.0.1');
  Object.assign(app.server, { headersTimeout: 1, requestTimeout: 1 });
  silent.resume();
  await once(silent, 'close');
  held.shift()?.();
  await eventually(() => expect(listAnswers(caller).map(({ status }) => status)).toEqual([200, 200]));
  // A request that is incomplete is still timed out.
  caller.socket.write(post('{}').slice(0, 30));
  await eventually(() => expect(listAnswers(caller).map(({ status }) => status)).toEqual([200, 200, 408]));
});

it('closeIdleConnections closes idle connections, and not a connection with a request', async () => {
  await open();
  const [idle, busy] = [await call(), await call()];
  await send(idle, post('{}'));
  await send(busy, post('{}'));
  busy.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  app.server.closeIdleConnections();
  await eventually(() => expect(idle.isEnded).toBe(true));
  held.shift()?.();
  await eventually(() => expect(listAnswers(busy)).toHaveLength(2));
  app.server.closeIdleConnections();
  await eventually(() => expect(busy.isEnded).toBe(true));
});

it('closing waits for a request that is served from the socket, and ends its connection', async () => {
  await open();
  const [idle, busy] = [await call(), await call()];
  await send(idle, post('{}'));
  await send(busy, post('{}'));
  busy.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  let isClosed = false;
  const closed = app.close().then(() => {
    isClosed = true;
  });
  await eventually(() => expect(idle.isEnded).toBe(true));
  // This request is pipelined after the last request of the connection, so it must not be executed.
  busy.socket.write(post('{"late":1}'));
  await eventually(() => expect(busy.peer.isPaused()).toBe(true));
  expect(isClosed).toBe(false);
  held.shift()?.();
  await closed;
  await eventually(() => expect(busy.isEnded).toBe(true));
  expect(busy.text.split('HTTP/1.1 ').at(-1)).toMatch(/^200 OK\r\nconnection: close\r\n/);
  expect(executed).toEqual(['{}', '{}', '{"hold":1}']);
});

it('a connection that closes during its request does not affect other connections', async () => {
  await open();
  const [one, other] = [await call(), await call()];
  await send(one, post('{}'));
  await send(other, post('{}'));
  one.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  const isClosed = new Promise((resolve) => one.peer.once('close', resolve));
  one.socket.resetAndDestroy();
  await isClosed;
  held.shift()?.();
  expect(app.inFlight.count).toBe(0);
  expect(await send(other, post('{"a":1}'))).toMatchObject({ fast: '{"a":1}' });
  expect(executed).toEqual(['{}', '{}', '{"hold":1}', '{"a":1}']);
});

it('bytes that wait on a connection which is then closed are served on no other connection', async () => {
  await open();
  const one = await call();
  await send(one, post('{}'));
  one.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  one.socket.write(post('{"waiting":1}'));
  await eventually(() => expect(one.peer.isPaused()).toBe(true));
  const isClosed = new Promise((resolve) => one.peer.once('close', resolve));
  one.socket.resetAndDestroy();
  await isClosed;
  // node:http gives the parser of the closed connection to the next connection.
  const other = await call();
  held.shift()?.();
  expect(await send(other, post('{"a":1}'))).toMatchObject({ fast: '{"a":1}' });
  expect(executed).toEqual(['{}', '{"hold":1}', '{"a":1}']);
  expect(listAnswers(other)).toHaveLength(1);
});

it('after a client closed its side during a request, its waiting bytes are ignored', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  caller.socket.write(post('{"hold":1}'));
  await eventually(() => expect(held).toHaveLength(1));
  caller.socket.write(post('{"waiting":1}'));
  await eventually(() => expect(caller.peer.isPaused()).toBe(true));
  caller.socket.end();
  await eventually(() => expect(caller.isEnded).toBe(true));
  held.shift()?.();
  expect(executed).toEqual(['{}', '{"hold":1}']);
  expect(listAnswers(caller)).toHaveLength(1);
  expect(app.inFlight.count).toBe(0);
});

it('a connection whose heads all differ is left to node:http', async () => {
  await open();
  const caller = await call();
  for (let i = 0; i < 17; i++) await send(caller, post('{}', `X-Id: ${i}\r\n`));
  expect(parsed).toHaveLength(17);
  for (let i = 0; i < 3; i++) await send(caller, post('{}'));
  expect(parsed).toHaveLength(20);
  // A connection on which heads are repeated is not left to node:http, although many of its heads differ.
  const other = await call();
  for (let i = 0; i < 30; i++) await send(other, post('{}', `X-Id: ${i % 10 === 9 ? i - 1 : i}\r\n`));
  expect(parsed).toHaveLength(20 + 27);
});

it('each request that is served from the socket allows 16 more heads', async () => {
  await open();
  const caller = await call();
  const read = (query: number) => send(caller, `GET /read?${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
  for (let i = 0; i < 2; i++) await send(caller, post('{}'));
  for (let i = 0; i < 30; i++) await read(i);
  expect(parsed).toHaveLength(31);
  // The connection has stored 31 heads, and may store one more.
  await send(caller, post('{}'));
  expect(parsed).toHaveLength(31);
  for (let i = 0; i < 18; i++) await read(i);
  await send(caller, post('{}'));
  expect(parsed).toHaveLength(31 + 18 + 1);
});

it('while a condition excludes a connection, node:http parses the requests of the connection', async () => {
  await open();
  const caller = await call();
  await send(caller, post('{}'));
  let isAllowed = false;
  app.socketRequests?.restrict((socket) => isAllowed && socket === caller.peer);
  await send(caller, post('{}'));
  isAllowed = true;
  await send(caller, post('{}'));
  expect(parsed).toHaveLength(2);
});

it('requests from sockets have the same log lines and metrics as requests of node:http', async () => {
  await open();
  const caller = await call();
  for (const body of ['{}', '{}', '{"fail":1}']) await send(caller, post(body));
  const lines = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  expect(lines.map(({ method, path, status, address }) => [method, path, status, address])).toEqual(
    [200, 200, 503].map((status) => ['POST', '/order', status, '127.0.0.1']),
  );
  const counts = durations.get().values.filter(({ metricName }) => metricName.endsWith('_count'));
  expect(counts.map(({ labels, value }) => [labels.route, labels.status, value])).toEqual([
    ['/order', '200', 2],
    ['/order', '503', 1],
  ]);
  expect(parsed).toHaveLength(1);
});
