// The fast path and the router give the same answers to update_balance.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';

const path = '/api/v1/user/update_balance';
let given: Given;
let owner: GivenPackage;
let low: GivenPackage;
let poor: GivenPackage;
let port: number;
let routed = 0;

beforeAll(async () => {
  given = await givenWallet({}, {}, (app) => {
    app.addHook('onRequest', async () => {
      routed++;
    });
  });
  owner = await given.package({ credit: '100000.00' });
  low = await given.package({ credit: '500.00', alertThreshold: 100_000n });
  poor = await given.package({ credit: '120.00' });
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  port = (given.app.server.address() as { port: number }).port;
});

afterAll(() => given.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends over a plain socket, so that the test controls every byte of the request. */
function send(headers: readonly string[], body: Buffer | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', text = ''] = Buffer.concat(chunks)
        .toString()
        .split(/\r\n\r\n([\s\S]*)/, 2);
      const [line = '', ...rest] = head.split('\r\n');
      const parsed = rest.map((each) => each.split(': ', 2) as [string, string]);
      resolve({
        status: Number(line.split(' ')[1]),
        headers: Object.fromEntries(parsed.map(([name, value]) => [name.toLowerCase(), value])),
        body: text,
      });
    });
    socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    socket.write(body);
  });
}

const jsonType = ['content-type: application/json'];

interface Case {
  readonly body: (names: { player: string; id: string }) => unknown;
  readonly of?: () => GivenPackage;
  readonly headers?: Record<string, string>;
  /** The bodies of the requests that are sent before the request with `body`. */
  readonly before?: Case['body'][];
}

const plain = { type: 'credit', amount: 1.25 };
const withNames = (more: object) => (names: { player: string; id: string }) => ({
  player_id: names.player,
  transaction_id: names.id,
  ...plain,
  ...more,
});
const asText = (change: (json: string) => string | Buffer) => (names: { player: string; id: string }) =>
  change(JSON.stringify(withNames({})(names)));

const toBytes = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

let counter = 0;

/** Sends the requests of a case, with a new player and new transaction ids. */
async function run(one: Case, way: (headers: Record<string, string>, body: Buffer) => Promise<Answer>) {
  const of = one.of?.() ?? owner;
  const names = { player: `p-${++counter}`, id: `t-${counter}` };
  await given.player(of, { playerId: names.player, balance: '10.00' });
  // This call caches the player and the package. The fast path serves only cached packages.
  await given.app.inject({
    method: 'POST',
    url: path,
    headers: of.headers,
    payload: { ...plain, player_id: names.player, transaction_id: `first-${names.id}` },
  });
  const headers = { 'content-type': 'application/json', ...of.headers, ...one.headers };
  let answer: Answer | undefined;
  for (const body of [...(one.before ?? []), one.body]) {
    answer = await way(headers, toBytes(body(names)));
  }
  if (!answer) throw new Error('the case has no request');
  const clean = (text: string) =>
    text
      .replaceAll(names.player, 'PLAYER')
      .replaceAll(names.id, 'ID')
      .replace(/req_[\w-]{36}/g, 'REQUEST');
  const { date: _, connection: __, 'keep-alive': ___, 'content-length': ____, ...kept } = answer.headers;
  kept['x-request-id'] = clean(kept['x-request-id'] ?? '');
  return { status: answer.status, headers: kept, body: clean(answer.body), names };
}

const overSocket = (headers: Record<string, string>, body: Buffer) =>
  send(
    [
      'host: test',
      'connection: close',
      `content-length: ${body.length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ],
    body,
  );

const throughRouter = async (headers: Record<string, string>, body: Buffer): Promise<Answer> => {
  const answer = await given.app.inject({ method: 'POST', url: path, headers, payload: body });
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    body: answer.body,
  };
};

const withoutCredit = (text: string) =>
  text
    .replace(/"package_balance":[\d.]+/, '"package_balance":0')
    .replace(/[\d.]+ EUR left/, 'left')
    .replace(/("threshold":1000,"balance":)[\d.]+/, '$10');

async function compare(one: Case) {
  const before = routed;
  const short = await run(one, overSocket);
  const byRouter = routed - before - 1;
  const long = await run(one, throughRouter);
  expect(short.status).toBe(long.status);
  expect(short.headers).toEqual(long.headers);
  expect(withoutCredit(short.body)).toBe(withoutCredit(long.body));
  return { ...short, byRouter };
}

describe('the answer of the fast path', () => {
  const cases: Record<string, Case> = {
    'a credit': { body: withNames({}) },
    'a debit': { body: withNames({ type: 'debit', amount: 3 }) },
    'an amount as a text': { body: withNames({ amount: '2.50' }) },
    'an amount of 1e2': { body: asText((json) => json.replace('1.25', '1e2')) },
    'a note': { body: withNames({ note: 'for <you> & me' }) },
    'a note of null': { body: withNames({ note: null }) },
    'unknown fields': { body: withNames({ extra: { deep: [1, 2] }, other: null }) },
    'a field twice, of which the last counts': { body: asText((json) => json.replace('{', '{"amount":9,')) },
    'a repeat': { before: [withNames({})], body: withNames({}) },
    'a different amount under the same id': { before: [withNames({})], body: withNames({ amount: 2 }) },
    'a different note under the same id': { before: [withNames({})], body: withNames({ note: 'x' }) },
    'not enough funds': { body: withNames({ type: 'debit', amount: 1000 }) },
    'a repeated refusal': {
      before: [withNames({ type: 'debit', amount: 1000 })],
      body: withNames({ type: 'debit', amount: 1000 }),
    },
    'a very large amount': { body: withNames({ amount: 9_999_999_999_999.99 }) },
    'not enough package credit': { of: () => poor, body: withNames({ amount: 5000 }) },
    'a credit below the alert threshold': { of: () => low, body: withNames({}) },
    'a whitelisted Origin': { headers: { origin: 'https://test.example' }, body: withNames({}) },
    'an unknown player': { body: withNames({ player_id: 'nobody' }) },
    'a charset': {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: withNames({}),
    },
  };
  it.each(Object.entries(cases))('the fast path answers like the router: %s', async (_name, one) => {
    const answer = await compare(one);
    expect(answer.byRouter).toBe(0);
    expect([200, 402, 404, 409, 422]).toContain(answer.status);
  });

  it.each([
    ['a JSON number is rounded to a double', '1.0000000000000000001', 1],
    ['a text with too many decimals is refused', '"1.0000000000000000001"', 'invalid_amount'],
    ['the last of two fields with the same name counts', '9,"amount":2', 2],
  ])('fast path and router read an amount in the same way: %s', async (_rule, written, taken) => {
    const body = asText((json) => json.replace('1.25', written));
    const { data, code } = JSON.parse((await compare({ body })).body);
    expect(code ?? data.amount).toBe(taken);
  });

  it('an order moves money once, and has a log line and a metric', async () => {
    const { names } = await compare({ body: withNames({ amount: 7 }) });
    const balance = await given.app.inject({
      url: `/api/v1/user/balance?player_id=${names.player}`,
      headers: owner.headers,
    });
    expect(balance.json().data.balance).toBe(18.25);
    const requests = given.logLines.filter((line) => line.includes('"msg":"request"'));
    expect(requests.at(-2)).toContain(`"path":"${path}","status":200`);
    const metrics = await given.app.inject({ url: '/metrics' });
    expect(metrics.body).toMatch(/http_request_duration_seconds_count\{.*update_balance.*\} \d+/);
  });
});

describe('a request that the fast path does not answer', () => {
  const cases: Record<string, Case> = {
    'a note beyond ASCII': { body: withNames({ note: 'Zoë' }) },
    'an escaped character': { body: withNames({ note: 'a "quote"' }) },
    'a control character': { body: withNames({ note: 'a\u0001b' }) },
    'a delete character': { body: withNames({ note: 'a\x7fb' }) },
    'a lone surrogate': { body: asText((json) => json.replace('{', '{"note":"\\ud800",')) },
    'invalid UTF-8': {
      body: asText((json) => Buffer.from(json.replace('{', '{"note":"\xff",'), 'latin1')),
    },
    'a __proto__ field': { body: asText((json) => json.replace('{', '{"__proto__":{"a":1},')) },
    'a constructor field': {
      body: asText((json) => json.replace('{', '{"constructor":{"prototype":{}},')),
    },
    'an empty body': { body: () => '' },
    'invalid JSON': { body: () => '{"player_id":' },
    'an array': { body: () => '[]' },
    'the value null': { body: () => 'null' },
    'no player': { body: withNames({ player_id: undefined }) },
    'a player_id that is a number': { body: withNames({ player_id: 5 }) },
    'a player_id of 65 characters': { body: withNames({ player_id: 'p'.repeat(65) }) },
    'an id of 129 characters': { body: withNames({ transaction_id: 't'.repeat(129) }) },
    'an empty id': { body: withNames({ transaction_id: '' }) },
    'an unknown type': { body: withNames({ type: 'gift' }) },
    'no amount': { body: withNames({ amount: undefined }) },
    'an amount of zero': { body: withNames({ amount: 0 }) },
    'a negative amount': { body: withNames({ amount: -1 }) },
    'too many decimals': { body: withNames({ amount: 0.001 }) },
    'a note of 256 characters': { body: withNames({ note: 'n'.repeat(256) }) },
    'a note that is a number': { body: withNames({ note: 5 }) },
    'a wrong secret': { headers: { 'x-api-secret': 'gps_wrong' }, body: withNames({}) },
    'a wrong key': { headers: { 'x-api-key': 'gpk_wrong' }, body: withNames({}) },
    'an unknown UID': { headers: { 'x-uid': 'UID_nobody' }, body: withNames({}) },
    'a foreign Origin': { headers: { origin: 'https://evil.example' }, body: withNames({}) },
    'a wrong content type': { headers: { 'content-type': 'text/plain' }, body: withNames({}) },
  };
  it.each(Object.entries(cases))(
    'the fast path passes a request with %s to the router',
    async (_name, one) => {
      expect((await compare(one)).byRouter).toBeGreaterThan(0);
    },
  );

  it('the router refuses a callback pair, and an IP address outside the list of the package', async () => {
    const { apiKey, apiSecret } = owner.callback;
    const headers = { 'x-api-key': apiKey, 'x-api-secret': apiSecret };
    expect(await compare({ headers, body: withNames({}) })).toMatchObject({ status: 403 });
    const listed = await given.package({ callerAddresses: ['10.0.0.1'] });
    expect(await compare({ of: () => listed, body: withNames({}) })).toMatchObject({ status: 403 });
  });

  it('the fast path passes a request with a chunked body to the router', async () => {
    const headers = Object.entries(owner.headers).map(([name, value]) => `${name}: ${value}`);
    const before = routed;
    const answer = await send(
      ['host: test', 'connection: close', 'transfer-encoding: chunked', ...jsonType, ...headers],
      '2\r\n{}\r\n0\r\n\r\n',
    );
    expect(routed).toBe(before + 1);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).code).toBe('invalid_parameter');
  });

  it('a request with two Host headers is refused', async () => {
    const headers = Object.entries(owner.headers).map(([name, value]) => `${name}: ${value}`);
    const answer = await send(
      ['host: a', 'host: b', 'connection: close', 'content-length: 2', ...jsonType, ...headers],
      '{}',
    );
    expect(JSON.parse(answer.body).code).toBe('malformed_request');
  });
});
