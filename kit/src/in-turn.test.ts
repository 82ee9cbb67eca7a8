// What a caller sends behind a request waits for its answer, and is not looked at if that was the last.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { answerInTurn } from './in-turn.ts';

let server: Server;
let caller: Socket;

afterEach(async () => {
  caller.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A caller of this listener, whose answers are gathered. */
async function callOf(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  answerInTurn(server);
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

/** Echoes after a while, the longer the earlier. */
function echoLater(seen: string[]): RequestListener {
  let delayMs = 60;
  return async (request, response) => {
    seen.push(`${request.url} begins`);
    const chunks = await request.toArray();
    delayMs -= 20;
    await sleep(delayMs);
    seen.push(`${request.url} ends`);
    response.end(Buffer.concat(chunks));
  };
}

it('one after the other, each with its own body', async () => {
  const seen: string[] = [];
  const got = await callOf(echoLater(seen));
  const last = post('/3', 'three');
  caller.write(post('/1', 'one') + post('/2', 'two') + last.slice(0, -3));
  await sleep(20);
  caller.write(last.slice(-3));
  while (!got.text.endsWith('three')) await once(caller, 'data');
  expect(got.text.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
  expect(seen).toEqual(['/1', '/2', '/3'].flatMap((path) => [`${path} begins`, `${path} ends`]));
});

it('nothing is looked at that comes behind the last answer', async () => {
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
])('a caller who sends on and on %s is not read for ever', async (_, body) => {
  let answer: () => void = () => undefined;
  let count = 0;
  let read = () => 0;
  const got = await callOf((request, response) => {
    count++;
    read = () => request.socket.bytesRead;
    if (count === 1) answer = () => response.end('1');
    else response.end('.');
  });
  // In packets of two, as an order and the next one might come.
  const two = post('/', body).repeat(2);
  const many = 20_000;
  for (let i = 0; i < many; i += 2) caller.write(two);
  await once(server, 'request');
  let before = -1;
  while (before !== read()) {
    before = read();
    await sleep(100);
  }
  expect(count).toBe(1);
  expect(before).toBeLessThan((many * two.length) / 2 / 4);
  answer();
  const answers = () => got.text.match(/HTTP\/1.1 200/g)?.length ?? 0;
  while (answers() < many) await sleep(50);
  expect([count, answers()]).toEqual([many, many]);
});

it('nothing that waits is begun on a connection that broke', async () => {
  const seen: (string | undefined)[] = [];
  let answer: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    void callOf((request, response) => {
      seen.push(request.url);
      request.socket.once('close', resolve);
      answer = () => response.end('late');
    }).then(() => caller.write(post('/1') + post('/2')));
  });
  while (seen.length === 0) await sleep(5);
  caller.resetAndDestroy();
  await sleep(50);
  answer();
  await closed;
  await sleep(20);
  expect(seen).toEqual(['/1']);
});
