// Only routes with large bodies accept slow bodies, and only while bytes keep arriving.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../observability/logging.ts';
import { type App, buildApp } from '../app.ts';
import { defineErrors, transportErrors } from '../errors.ts';

let app: App;
let port = 0;
/** Called when a handler begins to read a body. */
let begun = () => {};
const requestTimeoutMs = 100;

beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  app = buildApp({ errors: defineErrors(transportErrors), logger, requestTimeoutMs });
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  for (const [path, slowBody] of [
    ['/slow', true],
    ['/quick', false],
  ] as const) {
    app.put(path, { config: { slowBody }, bodyLimit: 10_000_000 }, async (request) => {
      begun();
      let bytes = 0;
      for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length;
      return { bytes };
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});

afterAll(() => app.close());

const piece = Buffer.alloc(2048);

/** Sends the headers of a request without its body, and returns both ends of the connection. */
async function begin(path: string, length: number) {
  // Node's time limits start when the connection opens, so the test turns them on only when the handler reads
  // the body.
  Object.assign(app.server, { requestTimeout: 0, headersTimeout: 0 });
  const isRead = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  const head =
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
    `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`;
  socket.write(head);
  const [server] = await accepted;
  await isRead;
  app.server.requestTimeout = requestTimeoutMs;
  return { socket, server, closed };
}

/** Sends a part of the body, and waits until the server has read it or has closed the connection. */
async function sendPiece({ socket, server }: { socket: Socket; server: Socket }): Promise<void> {
  const before = server.bytesRead;
  socket.write(piece);
  const isRead = () => server.bytesRead >= before + piece.length;
  while (!isRead() && !server.destroyed) await pause(1);
}

it('a slow body that keeps arriving is accepted beyond the general time limit', async () => {
  // The fake clock applies only to the checks of slow-bodies.ts. Node's own time limit runs in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = new Promise<void>((resolve) => {
    app.server.on('clientError', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') resolve();
    });
  });
  const sending = await begin('/slow', 10 * piece.length);
  for (let i = 0; i < 5; i++) {
    await sendPiece(sending);
    vi.advanceTimersByTime(requestTimeoutMs);
  }
  await limit;
  for (let i = 0; i < 5; i++) {
    sending.socket.write(piece);
  }
  const text = await sending.closed;
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toContain('{"bytes":20480}');
});

it('a slow body that stalls is answered with 408', async () => {
  const sending = await begin('/slow', 10 * piece.length);
  await sendPiece(sending);
  const text = await sending.closed;
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('request_timeout');
});

it('on a route for small bodies, a slow body gets 408 even if bytes keep arriving', async () => {
  const { socket, closed } = await begin('/quick', 10_000_000);
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed) {
    socket.write('some');
    await pause(5);
  }
  expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
});
