// Large bodies may take their time, but not for ever, and nothing else may.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, buildApp } from './app.ts';
import { defineErrors, transportErrors } from './errors.ts';
import { createLogger } from './logging.ts';

let app: App;
let port = 0;

beforeAll(async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  app = buildApp({ errors: defineErrors(transportErrors), logger, requestTimeoutMs: 1000 });
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
    done(null, payload),
  );
  for (const [path, slowBody] of [
    ['/slow', true],
    ['/quick', false],
  ] as const) {
    app.put(path, { config: { slowBody }, bodyLimit: 10_000_000 }, async (request) => {
      let bytes = 0;
      for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length;
      return { bytes };
    });
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});

afterAll(() => app.close());

/** Sends `chunks` pieces of 2 KiB, one every 300 ms, of a body that is announced as `length`. */
async function trickle(path: string, { chunks, length }: { chunks: number; length: number }) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (let i = 0; i < chunks && !socket.destroyed; i++) {
    socket.write(Buffer.alloc(2048));
    await sleep(300);
  }
  await closed;
  return received;
}

it('a slow body that keeps coming arrives, though it takes longer than other requests may', async () => {
  const text = await trickle('/slow', { chunks: 10, length: 20_480 });
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toContain('{"bytes":20480}');
});

it('a slow body that stalls is timed out', async () => {
  const text = await trickle('/slow', { chunks: 2, length: 20_480 });
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('request_timeout');
});

it('everywhere else a slow body is timed out, even one that keeps coming', async () => {
  const text = await trickle('/quick', { chunks: 10, length: 20_480 });
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
});
