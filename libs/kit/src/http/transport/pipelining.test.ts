// A pipelined request waits for the previous answer, and is ignored if that answer closes the connection.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { answerOneAtATime } from './pipelining.ts';

let server: Server;
let caller: Socket;

afterEach(async () => {
  caller.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/**
 * Starts a server with this listener, connects `caller` to it, and returns the text that `caller` receives.
 */
async function callOf(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  answerOneAtATime(server);
  await once(server, 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const got = { text: '' };
  caller.setEncoding('utf8').on('data', (text) => {
    got.text += text;
  });
  caller.on('error', () => {});
  return got;
}

const post = (path: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Answers each request with its own body, after the number of event-loop iterations in its path. */
function echoLater(seen: string[]): RequestListener {
  return async (request, response) => {
    seen.push(`${request.url} begins`);
    const chunks = await request.toArray();
    for (let ticks = Number(request.url?.slice(1)); ticks > 0; ticks--) await nextTick();
    seen.push(`${request.url} ends`);
    response.end(Buffer.concat(chunks));
  };
}

it('pipelined requests are served one after the other, each with its own body', async () => {
  const seen: string[] = [];
  const got = await callOf(echoLater(seen));
  const last = post('/1', 'three');
  // Each request takes longer than the request after it. The end of the last body is sent after the other
  // requests are answered.
  caller.write(post('/9', 'one') + post('/5', 'two') + last.slice(0, -3));
  await eventually(() => expect(seen).toContain('/1 begins'));
  caller.write(last.slice(-3));
  while (!got.text.endsWith('three')) await once(caller, 'data');
  expect(got.text.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
  expect(seen).toEqual(['/9', '/5', '/1'].flatMap((path) => [`${path} begins`, `${path} ends`]));
});

it('a request after an answer that closes the connection is ignored', async () => {
  const seen: (string | undefined)[] = [];
  const got = await callOf(async (request, response) => {
    seen.push(request.url);
    await request.toArray();
    response.writeHead(400, { connection: 'close' }).end('no');
  });
  caller.write(post('/1', 'bad') + post('/2', 'good') + post('/3', 'good'));
  await once(caller, 'close');
  expect(got.text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect(seen).toEqual(['/1']);
});

it.each([
  ['without a body', ''],
  ['with a body', 'twenty letters in all'],
])('the server stops reading from a client that keeps sending requests %s', async (_, body) => {
  let answer: () => void = () => undefined;
  let count = 0;
  let socket: Socket | undefined;
  const read = () => socket?.bytesRead ?? 0;
  const got = await callOf((request, response) => {
    count++;
    socket = request.socket;
    if (count === 1) answer = () => response.end('1');
    else response.end('.');
  });
  // Two requests are sent per packet.
  const two = post('/', body).repeat(2);
  const many = 10_000;
  for (let i = 0; i < many; i += 2) caller.write(two);
  await once(server, 'request');
  await eventually(() => expect(socket?.isPaused()).toBe(true));
  const before = read();
  // More bytes arrive in every tick, and the server reads none of them.
  for (let ticks = 0; ticks < 100; ticks++) await nextTick();
  expect([count, read()]).toEqual([1, before]);
  expect(before).toBeLessThan((many * two.length) / 2 / 4);
  answer();
  const answers = () => got.text.match(/HTTP\/1.1 200/g)?.length ?? 0;
  await eventually(() => expect(answers()).toBe(many));
  expect([count, answers()]).toEqual([many, many]);
});

it('a waiting request is not started if the connection breaks', async () => {
  const seen: (string | undefined)[] = [];
  let answer: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    void callOf((request, response) => {
      seen.push(request.url);
      request.socket.once('close', resolve);
      answer = () => response.end('late');
    }).then(() => caller.write(post('/1') + post('/2')));
  });
  await eventually(() => expect(seen).toHaveLength(1));
  caller.resetAndDestroy();
  await once(caller, 'close');
  // When the server accepts this second connection, it has already noticed the reset of the first connection.
  // So the test waits for the second connection.
  const next = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(server, 'connection');
  next.destroy();
  answer();
  await closed;
  // The server must not start the waiting request. A wrong start would happen in the event-loop iteration in
  // which the previous answer ends, so the test waits for the next iteration.
  await nextTick();
  expect(seen).toEqual(['/1']);
});

it('a reset while a request waits for an unread answer does not end the process', async () => {
  const thrown: unknown[] = [];
  const record = (error: unknown) => void thrown.push(error);
  process.on('uncaughtExceptionMonitor', record);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', record));
  await callOf((_request, response) => response.end(Buffer.alloc(16 * 1024 * 1024)));
  const accepted = once(server, 'connection');
  caller.pause();
  const [peer] = (await accepted) as [Socket];
  // With another listener, Node gives the bytes of the connection to its parser as `data` events. Requests
  // that are served from the socket have such a listener.
  peer.on('data', () => {});
  caller.write(post('/1'));
  await eventually(() => expect(peer.writableNeedDrain).toBe(true));
  caller.write(post('/2', 'x'.repeat(1_000_000)));
  await eventually(() => expect([peer.isPaused(), peer.readableLength > 0]).toEqual([true, true]));
  const closed = new Promise((resolve) => peer.once('close', resolve));
  caller.resetAndDestroy();
  await closed;
  await nextTick();
  expect(thrown).toEqual([]);
});
