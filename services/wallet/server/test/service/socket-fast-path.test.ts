// Requests that are served from the socket get the answers of the router, and every change of a package
// affects the next request.
import { connect, type Socket } from 'node:net';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { giveMember } from '../environment/people.ts';

let given: Given;
let owner: GivenPackage;
let port: number;
let parsed = 0;
let counter = 0;
let player: string;

beforeAll(async () => {
  given = await givenWallet({ SOCKET_FAST_PATH: 'on' });
  owner = await given.package({ credit: '100000.00' });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  given.app.server.prependListener('request', () => void parsed++);
  port = (given.app.server.address() as { port: number }).port;
});
beforeEach(async () => {
  player = await given.player(owner, { playerId: `p-${++counter}`, balance: '10.00' });
  await cache(owner);
  parsed = 0;
});
afterAll(() => given.close());

/** Caches the package and the verified secret. Before that, the router serves the requests. */
async function cache({ headers }: GivenPackage): Promise<void> {
  await given.app.inject({ url: '/api/v1/package', headers });
}

interface Sent {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** One connection, on which `send` sends a request and returns the answer to it. */
async function open() {
  const socket: Socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const send = async ({ method = 'POST', url, headers = owner.headers, body }: Sent) => {
    text = '';
    const json = body === undefined ? '' : JSON.stringify(body);
    const all = {
      host: 'x',
      ...headers,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(json)),
      }),
    };
    const lines = Object.entries(all).map((each) => each.join(': '));
    socket.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${json}`);
    await eventually(() => {
      const [head = '', answer] = text.split('\r\n\r\n');
      expect(Buffer.byteLength(answer ?? '')).toBe(Number(/content-length: (\d+)/i.exec(head)?.[1]));
    });
    return { status: Number(text.slice(9, 12)), json: JSON.parse(text.split('\r\n\r\n')[1] ?? '') };
  };
  return { send, close: () => void socket.destroy() };
}

const order = (id: string, more: object = {}): Sent => ({
  url: '/api/v1/user/update_balance',
  body: { player_id: player, type: 'credit', amount: 1, transaction_id: `${id}-${counter}`, ...more },
});
const readBalance = (): Sent => ({ method: 'GET', url: `/api/v1/user/balance?player_id=${player}` });
const callback = (id: string, more: object): Sent => ({
  url: '/api/v1/game/callback',
  headers: owner.headers,
  body: { player_id: player, transaction_id: `${id}-${counter}`, round_id: `r-${counter}`, ...more },
});

it('orders, callbacks and balance reads of one connection move money once and agree', async () => {
  const { send, close } = await open();
  const results: unknown[] = [];
  const record = async (sent: Sent) => {
    const { status, json } = await send(sent);
    results.push([status, json.code ?? json.data.balance]);
  };
  await record(order('a'));
  await record(readBalance());
  for (let round = 0; round < 2; round++) {
    await record(order('b', { amount: 2 }));
    await record(order('c', { type: 'debit', amount: 3 }));
    await record(order('d', { type: 'debit', amount: 1000 }));
    await record(order('b', { amount: 7 }));
    await record(readBalance());
  }
  const [before, credited, debited, poor, conflict, read] = [
    [200, 11],
    [200, 13],
    [200, 10],
    [422, 'insufficient_funds'],
    [409, 'transaction_conflict'],
    [200, 10],
  ];
  const round = [credited, debited, poor, conflict, read];
  expect(results).toEqual([before, [200, 11], ...round, ...round]);
  // node:http parsed the first order and the first read.
  expect(parsed).toBe(2);
  close();
});

it('callbacks that are served from the socket get the same answers as from the router', async () => {
  const { send, close } = await open();
  const calls = [
    { action: 'balance' },
    { action: 'bet', amount: 4, currency: 'EUR', game_id: '1' },
    { action: 'win', amount: 2, currency: 'EUR', game_id: '1' },
    { action: 'bet', amount: 400, currency: 'EUR', game_id: '1' },
    { action: 'nonsense' },
  ].map((body, i) => callback(`call-${i}`, body));
  const answers: unknown[] = [];
  for (const call of calls) answers.push(await send(call));
  expect(parsed).toBe(2);
  // A repeat gets the first answer again.
  for (const [i, call] of calls.entries()) {
    const { method = 'POST', url, headers = {}, body } = call;
    const again = await given.app.inject({ method, url, headers, payload: body as object });
    const first = answers[i] as { status: number; json: object };
    expect(again.statusCode).toBe(first.status);
    if (i === 0 || i > 2) expect(Object.keys(again.json())).toEqual(Object.keys(first.json));
  }
  close();
});

it('a request with a body that only the router can read is answered by the router', async () => {
  const { send, close } = await open();
  await send(order('a'));
  expect(await send(order('b', { note: 'Zoë' }))).toMatchObject({
    status: 200,
    json: { data: { balance: 12 } },
  });
  expect(await send(order('c', { amount: -1 }))).toMatchObject({ status: 400 });
  expect(await send(order('d'))).toMatchObject({ status: 200, json: { data: { balance: 13 } } });
  expect(parsed).toBe(3);
  close();
});

it('after a rotation of the key pair, the next request of the same connection is refused', async () => {
  const rotated = await given.package();
  await given.player(rotated, { playerId: player });
  await cache(rotated);
  const { send: manage } = await giveMember(given, rotated, 'owner');
  const { send, close } = await open();
  const sent = (id: string) => ({ ...order(id), headers: rotated.headers });
  for (const id of ['a', 'b']) expect((await send(sent(id))).status).toBe(200);
  expect(parsed).toBe(1);
  await manage('POST', `/panel/packages/${rotated.id}/key-pairs/rotate`, { purpose: 'caller', overlap: '0' });
  expect((await send(sent('c'))).json.code).toBe('auth_invalid');
  close();
});
