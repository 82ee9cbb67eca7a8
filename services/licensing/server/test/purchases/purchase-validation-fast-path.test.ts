// The fast path of validation and the router give the same answer to the same request.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Given, givenLicensing } from '../environment/given.ts';

const path = '/api/purchases/validation';
let given: Given;
let url: string;
let routed = 0;
let own: { workspaceId: bigint; key: string; publishable: string; itemKey: string };
const codes: Record<string, string> = {};

beforeAll(async () => {
  given = await givenLicensing({}, (app) => {
    app.addHook('onRequest', async () => {
      routed++;
    });
  });
  const workspaceId = await given.workspace({ supportEnabled: true });
  const itemId = await given.item(workspaceId);
  const otherItem = await given.item(workspaceId, { name: 'Another' });
  const publishable = { kind: 'publishable', scopes: ['purchases:validate'] } as const;
  own = {
    workspaceId,
    key: await given.apiKey(workspaceId),
    publishable: await given.apiKey(workspaceId, { ...publishable, itemId }),
    itemKey: await given.apiKey(workspaceId, { legacyItem: true }),
  };
  const issue = async (name: string, wanted: Parameters<Given['purchase']>[2] = {}) => {
    codes[name] = (await given.purchase(workspaceId, itemId, wanted)).code;
  };
  await issue('active');
  await issue('supported', { supportedUntil: new Date('2027-01-01T00:00:00Z') });
  await issue('refunded', { state: 'refunded' });
  await issue('mixed', { code: 'MiXed-Code-0001' });
  const blocked = await given.purchase(workspaceId, itemId);
  codes.blocked = blocked.code;
  const block = 'update purchases set blocked_at = now() where workspace_id = $1 and id = $2';
  await given.db.query(block, [workspaceId, blocked.id]);
  codes.otherItem = (await given.purchase(workspaceId, otherItem)).code;
  const stranger = await given.workspace();
  codes.stranger = (await given.purchase(stranger, await given.item(stranger))).code;
  codes.unknown = '00000000-0000-4000-8000-000000000000';
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(given.app.server.address() as { port: number }).port}`;
  // Keys and sellers are cached when they are first used. The clock of the caches is stopped, so that they
  // stay cached.
  given.memoryClock.ms = performance.now();
  for (const key of [own.key, own.publishable, own.itemKey]) {
    await routerWay({ headers: { 'x-api-key': key }, body: { purchase_code: codes.active } });
  }
});

afterAll(() => given.close());

interface Call {
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));
const headersOf = (call: Call) => ({ 'content-type': 'application/json', ...call.headers });
const clean = (text: string) => text.replace(/req_[\w-]{36}/g, 'REQUEST');

async function routerWay(call: Call) {
  const answer = await given.app.inject({
    method: 'POST',
    url: path,
    headers: headersOf(call),
    payload: textOf(call.body),
    remoteAddress: '10.9.9.9',
  });
  return { status: answer.statusCode, headers: answer.headers, body: clean(answer.body) };
}

async function socketWay(call: Call) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: headersOf(call),
    body: textOf(call.body),
  });
  const headers = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, body: clean(await answer.text()) };
}

const comparedHeaders = ['content-type', 'cache-control', 'x-content-type-options', 'www-authenticate'];

async function compare(call: Call) {
  const before = routed;
  const short = await socketWay(call);
  const byRouter = routed - before;
  const long = await routerWay(call);
  expect(short.status).toBe(long.status);
  expect(short.body).toBe(long.body);
  for (const name of comparedHeaders) expect(short.headers[name]).toBe(long.headers[name]);
  expect(short.headers['x-request-id']).toMatch(/^req_/);
  return { ...short, byRouter };
}

describe('a request to the fast path', () => {
  it.each([
    ['a valid code', 'active', 200],
    ['a code with support', 'supported', 200],
    ['a code in mixed case', 'mixed', 200],
    ['a refunded code', 'refunded', 404],
    ['a blocked code', 'blocked', 404],
    ["another seller's code", 'stranger', 404],
    ['an unknown code', 'unknown', 404],
  ])('a request with %s is answered by the fast path', async (_name, code, status) => {
    const headers = { 'x-api-key': own.key };
    const answer = await compare({ headers, body: { purchase_code: codes[code] } });
    expect(answer.byRouter).toBe(0);
    // Only requests with a nonce get a signature.
    expect(Object.keys(answer.headers).filter((name) => /signature|digest/.test(name))).toEqual([]);
    if (status === 200) expect(answer.status).toBe(200);
    else expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  const calls: Record<string, () => Call> = {
    'the key in the body': () => ({ body: { api_key: own.key, purchase_code: codes.active } }),
    'the key in the header and the body': () => ({
      headers: { 'x-api-key': own.key },
      body: { api_key: own.key, purchase_code: codes.active },
    }),
    'unknown and null fields': () => ({
      headers: { 'x-api-key': own.key },
      body: { api_key: null, purchase_code: codes.active, domain: 'x', more: { a: [1] } },
    }),
    'spaces around and capitals in the code': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: `  ${codes.active?.toUpperCase()} ` },
    }),
    'white space between the parts of the JSON': () => ({
      headers: { 'x-api-key': own.key },
      body: ` {\t"purchase_code"\r\n: "${codes.active}" }\n`,
    }),
    'the longest code': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: ` ${'c'.repeat(128)} ` },
    }),
    'the code __proto__': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: '__proto__' },
    }),
    'a publishable key': () => ({
      headers: { 'x-api-key': own.publishable },
      body: { purchase_code: codes.active },
    }),
    'a publishable key and a code of another item': () => ({
      headers: { 'x-api-key': own.publishable },
      body: { purchase_code: codes.otherItem },
    }),
    'a key for old plug-ins': () => ({
      headers: { 'x-api-key': own.itemKey },
      body: { purchase_code: codes.active },
    }),
    'a key for old plug-ins and a refunded code': () => ({
      headers: { 'x-api-key': own.itemKey },
      body: { purchase_code: codes.refunded },
    }),
  };
  it.each(Object.entries(calls))('a request with %s is answered by the fast path', async (_name, call) => {
    expect((await compare(call())).byRouter).toBe(0);
  });

  it('a request to the fast path is logged with the same line as a request to the router', async () => {
    const { headers } = await compare({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: codes.supported },
    });
    const read = async (isShort: boolean) =>
      (
        await given.db.query<Record<string, unknown>>(
          `select method, route, status, code, item_id, code_hint from request_log
           where workspace_id = $1 and code_hint = $2 and (request_id = $3) = $4`,
          [own.workspaceId, `…${codes.supported?.slice(-4)}`, headers['x-request-id'], isShort],
        )
      ).rows;
    await eventually(async () => {
      const [short, long] = [await read(true), await read(false)];
      expect(short).toHaveLength(1);
      expect(long[0]).toEqual(short[0]);
    });
  });
});

describe('a request that the fast path does not answer', () => {
  const calls: Record<string, () => Call> = {
    'no key': () => ({ body: { purchase_code: codes.active } }),
    'a wrong key': () => ({
      headers: { 'x-api-key': 'nope' },
      body: { purchase_code: codes.active },
    }),
    'a nonce': () => ({
      headers: { 'x-api-key': own.key, 'x-nonce': 'abcdefghijklmnop-1' },
      body: { purchase_code: codes.active },
    }),
    'two different keys': () => ({
      headers: { 'x-api-key': own.key },
      body: { api_key: own.publishable, purchase_code: codes.active },
    }),
    'a bearer key': () => ({
      headers: { authorization: `Bearer ${own.key}` },
      body: { purchase_code: codes.active },
    }),
    'no code': () => ({ headers: { 'x-api-key': own.key }, body: {} }),
    'a code that is a number': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: 5 },
    }),
    'an empty code': () => ({ headers: { 'x-api-key': own.key }, body: { purchase_code: '  ' } }),
    'a code that is too long': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: 'c'.repeat(129) },
    }),
    'two codes': () => ({
      headers: { 'x-api-key': own.key },
      body: `{"purchase_code":"a","purchase_code":"${codes.active}"}`,
    }),
    'a key and a code without a comma': () => ({
      headers: { 'x-api-key': own.key },
      body: `{"purchase_code":"a" "b":"c"}`,
    }),
    'a comma after the code': () => ({
      headers: { 'x-api-key': own.key },
      body: `{"purchase_code":"${codes.active}",}`,
    }),
    'a form feed before the code': () => ({
      headers: { 'x-api-key': own.key },
      body: `{\f"purchase_code":"${codes.active}"}`,
    }),
    'a tab in the code': () => ({
      headers: { 'x-api-key': own.key },
      body: `{"purchase_code":"${codes.active}\t"}`,
    }),
    'an escaped code': () => ({
      headers: { 'x-api-key': own.key },
      body: `{"purchase_code":"\\u0041${codes.active?.slice(1)}"}`,
    }),
    'a code that is not ASCII': () => ({
      headers: { 'x-api-key': own.key },
      body: { purchase_code: 'zoë' },
    }),
    'a body that is not valid JSON': () => ({
      headers: { 'x-api-key': own.key },
      body: '{"purchase_code":',
    }),
    'an array as the body': () => ({ headers: { 'x-api-key': own.key }, body: '[]' }),
    'a form as the body': () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': own.key },
      body: `purchase_code=${codes.active}`,
    }),
  };
  it.each(Object.entries(calls))('a request with %s goes unchanged to the router', async (_name, call) => {
    expect((await compare(call())).byRouter).toBe(1);
  });
});
