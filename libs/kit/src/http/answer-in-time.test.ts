// Every request is answered at its deadline at the latest. The time that the client takes to send its body
// does not count.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureLog } from '../testing/captured-log.ts';
import { eventually } from '../testing/eventually.ts';
import { type App, buildApp } from './app.ts';
import { defineErrors, transportErrors } from './errors.ts';

const never = new Promise<never>(() => {});
let app: App;
let handled = 0;
let bodiesBegun = 0;
let letFreeGo: () => void = () => undefined;

beforeAll(async () => {
  app = buildApp({
    errors: defineErrors(transportErrors),
    logger: captureLog('test').logger,
    deadlineOf: (_method, path) => (path.startsWith('/slow') ? { ms: 40, code: 'overloaded' } : undefined),
    completeError: () => never,
  });
  app.get('/slow/handler', () => never);
  app.get('/slow/hook', { onRequest: () => never }, async () => {
    handled++;
    return {};
  });
  app.get('/free', async () => {
    await new Promise<void>((resolve) => {
      letFreeGo = resolve;
    });
    return { status: 'success' };
  });
  const countBegun = async () => void bodiesBegun++;
  app.post('/slow/body', { onRequest: countBegun }, async (request) => ({ got: request.body }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => app.close());

it.each(['/slow/handler', '/slow/hook'])('a request to %s is answered at its deadline', async (url) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ status: 'error', code: 'overloaded', retryable: true });
  expect(answer.headers['retry-after']).toBe('1');
  expect(handled).toBe(0);
});

/** Sends a request with a deadline and waits for the answer at that deadline. */
const outlastDeadline = async () => expect((await app.inject({ url: '/slow/handler' })).statusCode).toBe(503);

it('a route without a deadline may take any time', async () => {
  const answer = app.inject({ url: '/free' });
  const free = answer.then(({ statusCode }) => statusCode);
  await outlastDeadline();
  letFreeGo();
  expect(await free).toBe(200);
});

it('the time for receiving a slow body does not count towards the deadline', async () => {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const body = '{"a":"b"}';
  socket.write(
    `POST /slow/body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 4)}`,
  );
  await eventually(() => expect(bodiesBegun).toBe(1));
  await outlastDeadline();
  socket.write(body.slice(4));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('200 OK');
  expect(String(answer)).toContain('{"got":{"a":"b"}}');
  socket.destroy();
});
