// Clients that send no body or read no answer do not occupy the limit of concurrent requests, and supervisors
// can ask a process that has reached the limit for its state.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { serveHealth } from '../../observability/health.ts';
import { createMetrics, serveMetrics } from '../../observability/metrics.ts';
import { captureLog } from '../../testing/captured-log.ts';
import { eventually } from '../../testing/eventually.ts';
import { type App, buildApp } from '../app.ts';
import { defineErrors, transportErrors } from '../errors.ts';

const errors = defineErrors({ ...transportErrors });
let app: App;
let clients: Socket[] = [];
let release: (() => void) | undefined;

function* manyChunks() {
  for (let i = 0; i < 160; i++) yield Buffer.alloc(100_000, '.');
}

/** Starts a service that works on one request at once. Returns its port. */
async function open(): Promise<number> {
  const { logger } = captureLog('limit');
  app = buildApp({ errors, logger, requestTimeoutMs: 600_000, maxInFlight: 1 });
  app.post('/echo', async (request) => ({ body: request.body }));
  app.get('/held', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return {};
  });
  app.get('/stream', (_request, reply) => reply.send(Readable.from(manyChunks())));
  app.get('/large', async () => Buffer.alloc(16_000_000));
  serveHealth(app, 'limit');
  serveMetrics(app, { registry: createMetrics('limit'), errors, token: undefined, production: false });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

afterEach(async () => {
  release?.();
  release = undefined;
  for (const client of clients) client.destroy();
  clients = [];
  await app.close();
});

/** Sends this text, and reads no answer until the test resumes the socket. */
function send(port: number, text: string): Socket {
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => {});
  client.write(text);
  clients.push(client);
  return client;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
const statusOf = async (port: number, path: string) =>
  (await fetch(`http://127.0.0.1:${port}${path}`)).status;

async function readAll(client: Socket): Promise<string> {
  let text = '';
  client.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  client.resume();
  await eventually(() => expect(text).toContain('\r\n\r\n'));
  return text;
}

it('a process that has reached the limit still answers its supervisors, and no other requests', async () => {
  const port = await open();
  send(port, get('/held'));
  await eventually(() => expect(app.inFlight.count).toBe(1));
  const paths = ['/held', '/healthz', '/metrics'];
  expect(await Promise.all(paths.map((path) => statusOf(port, path)))).toEqual([503, 200, 200]);
  await eventually(() => expect(app.inFlight.count).toBe(1));
});

it('a request does not count while its body arrives', async () => {
  const port = await open();
  let read = 0;
  app.server.on('request', () => {
    read++;
  });
  const slow = Array.from({ length: 5 }, () => send(port, head));
  await eventually(() => expect(read).toBe(5));
  expect(await statusOf(port, '/healthz')).toBe(200);
  expect(app.inFlight.count).toBe(0);
  // A complete request counts again, so the limit is enforced after the body.
  send(port, get('/held'));
  await eventually(() => expect(release).toBeDefined());
  const [refused, served, ...gone] = slow as [Socket, Socket, ...Socket[]];
  refused.write('{}');
  expect(await readAll(refused)).toMatch(/^HTTP\/1\.1 503 [\s\S]*overloaded/);
  release?.();
  await eventually(() => expect(app.inFlight.count).toBe(0));
  served.write('{}');
  expect(await readAll(served)).toMatch(/^HTTP\/1\.1 200 /);
  for (const client of gone) client.destroy();
  await eventually(() => expect(app.server.listening && app.inFlight.count).toBe(0));
});

it('a streamed answer continues after a pipelined CONNECT, and its request then stops counting', async () => {
  const port = await open();
  const accepted = once(app.server, 'connection');
  const client = send(port, get('/stream'));
  const [peer] = (await accepted) as [Socket];
  await eventually(() => expect(peer.writableNeedDrain).toBe(true));
  const isConnecting = once(app.server, 'connect');
  client.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await isConnecting;
  expect(app.inFlight.count).toBe(1);
  let received = 0;
  let last = '';
  client.on('data', (chunk: Buffer) => {
    received += chunk.length;
    last = (last + chunk.toString('latin1')).slice(-2000);
  });
  client.resume();
  await once(client, 'close');
  expect(received).toBeGreaterThan(16_000_000);
  expect(last).toContain('method_not_allowed');
  expect(app.inFlight.count).toBe(0);
});

it('a request does not count while its complete answer waits for the client', async () => {
  const port = await open();
  const accepted = once(app.server, 'connection');
  send(port, get('/large'));
  const [peer] = (await accepted) as [Socket];
  await eventually(() => expect(peer.writableNeedDrain).toBe(true));
  expect(app.inFlight.count).toBe(0);
  send(port, get('/held'));
  await eventually(() => expect(release).toBeDefined());
  expect(app.inFlight.count).toBe(1);
  const isClosed = new Promise((resolve) => peer.once('close', resolve));
  clients[0]?.destroy();
  await isClosed;
  expect(app.inFlight.count).toBe(1);
});
