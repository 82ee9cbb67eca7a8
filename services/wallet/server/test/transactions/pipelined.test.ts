// If a connection ends, an order that was pipelined after the last answered request gets no answer. That
// order must not be applied.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

const path = '/api/v1/user/update_balance';
let given: Given;
let owner: GivenPackage;
let port: number;
let count = 0;

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '1000.00' });
  await given.player(owner, { playerId: 'p' });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  port = (given.app.server.address() as { port: number }).port;
});

afterAll(() => given.close());

interface Sent {
  readonly to?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function request({ to = path, headers = {}, body = '{}' }: Sent): string {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const all = { host: 'x', 'content-type': 'application/json', ...length, ...owner.headers };
  const lines = Object.entries({ ...all, ...headers }).map((each) => each.join(': '));
  return `POST ${to} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const order = (id: string) =>
  JSON.stringify({ player_id: 'p', type: 'credit', amount: 1, transaction_id: id });

/** Sends two requests in one packet and returns the statuses that arrive before the connection ends. */
async function sendBoth(first: string, second: string): Promise<number[]> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(first + second);
  let text = '';
  const list = () => (text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []).map(Number);
  for await (const chunk of socket) {
    text += chunk;
    if (list().length === 2) break;
  }
  return list();
}

const find = async (id: string) => {
  const url = `/api/v1/user/transaction?transaction_id=${id}`;
  return (await given.app.inject({ url, headers: owner.headers })).statusCode;
};

it.each([
  ['a valid order', { body: order('ahead') }, 200],
  ['invalid JSON', { body: '{bad' }, 400],
  ['an unknown route', { to: '/nope' }, 404],
  ['a wrong secret', { headers: { 'x-api-secret': 'gps_wrong' } }, 401],
  ['a wrong content type', { headers: { 'content-type': 'text/plain' } }, 415],
  ['a negative amount', { body: order('low').replace('1', '-1') }, 400],
])('an order that is pipelined after %s is applied only if it gets an answer', async (_, first, status) => {
  const id = `behind-${++count}`;
  const [ahead, behind] = await sendBoth(request(first), request({ body: order(id) }));
  expect(ahead).toBe(status);
  // Orders are written in the sequence of their arrival. So when this later order is answered, the pipelined
  // order is stored if it was submitted.
  const later = { url: path, method: 'POST', headers: owner.headers } as const;
  await given.app.inject({ ...later, payload: JSON.parse(order(`later-${count}`)) });
  expect(await find(id)).toBe(behind ?? 404);
});

it.each([
  ['an unknown expectation', request.bind(null, { headers: { expect: 'wonders' } }), 417],
  ['CONNECT', () => 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
])('an order is answered if a request with %s is pipelined after the order', async (_, second, status) => {
  const id = `ahead-${++count}`;
  expect(await sendBoth(request({ body: order(id) }), second())).toEqual([200, status]);
  expect(await find(id)).toBe(200);
});
