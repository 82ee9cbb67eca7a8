// The fast path of licences and the router give the same answer to the same request.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reissuePurchase } from '../../src/purchases/management/reissue-purchase.ts';
import { makeTestCode } from '../../src/purchases/validation/test-codes.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const path = '/api/v1/licences';
let given: Given;
let url: string;
let routed = 0;
let workspaceId: bigint;
let itemId: bigint;
let own: Record<'key' | 'publishable' | 'reader' | 'foreign' | 'oldPlugin' | 'test', string>;
const codes: Record<string, string> = {};

beforeAll(async () => {
  given = await givenLicensing({}, (app) => {
    app.addHook('onRequest', async () => {
      routed++;
    });
  });
  workspaceId = await given.workspace({ supportEnabled: true });
  itemId = await given.item(workspaceId);
  const publishable = { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const;
  const scopes = ['activations:write'] as const;
  const sandbox = await given.db.transaction((tx) =>
    openSandbox(tx, given.config.masterKey, { workspaceId, at: given.clock.now }),
  );
  own = {
    key: await given.apiKey(workspaceId, { scopes }),
    oldPlugin: await given.apiKey(workspaceId, { scopes, legacyItem: true }),
    test: await given.apiKey(sandbox.workspaceId, { scopes, isTest: true }),
    publishable: await given.apiKey(workspaceId, publishable),
    reader: await given.apiKey(workspaceId, { scopes: ['purchases:validate'] }),
    foreign: await given.apiKey(await given.workspace(), { scopes }),
  };
  const issue = async (name: string, wanted: Parameters<Given['purchase']>[2] = {}) => {
    codes[name] = (await given.purchase(workspaceId, itemId, wanted)).code;
  };
  await issue('active');
  await issue('supported', { supportedUntil: new Date('2027-01-01T00:00:00Z') });
  await issue('machine');
  for (const state of ['refunded', 'cancelled', 'disputed'] as const) await issue(state, { state });
  await issue('changing');
  const setTerm = 'insert into licence_terms (workspace_id, item_id, term_months) values ($1, $2, 1)';
  const expiring = await given.item(workspaceId, { name: 'Expiring' });
  await given.db.query(setTerm, [workspaceId, expiring]);
  const purchasedAt = new Date('2026-03-01T00:00:00Z');
  codes.ended = (await given.purchase(workspaceId, expiring, { purchasedAt })).code;
  codes.term = (await given.purchase(workspaceId, expiring)).code;
  const blocked = await given.purchase(workspaceId, itemId);
  codes.blocked = blocked.code;
  const block = 'update purchases set blocked_at = now() where workspace_id = $1 and id = $2';
  await given.db.query(block, [workspaceId, blocked.id]);
  const leaked = await given.purchase(workspaceId, itemId);
  codes.replaced = leaked.code;
  const caller = { workspaceId, actor: {} };
  const target = { caller, purchaseId: leaked.id, now: given.clock.now };
  await given.db.transaction((tx) => reissuePurchase(tx, given.config.masterKey, target, undefined));
  const otherItem = await given.item(workspaceId, { name: 'Another' });
  codes.otherItem = (await given.purchase(workspaceId, otherItem)).code;
  codes.unknown = '00000000-0000-4000-8000-000000000000';
  await given.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(given.app.server.address() as { port: number }).port}`;
  // Keys, sellers and signing keys are cached when they are first used. The clock of the caches is stopped,
  // so that they stay cached.
  given.memoryClock.ms = performance.now();
  for (const key of Object.values(own)) {
    await routerWay({ headers: { 'x-api-key': key }, body: { purchase_code: codes.active, domain } });
  }
});

afterAll(() => given.close());

const domain = 'shop.example';

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

/** The headers that differ between two equal answers. A signature covers the id of the request. */
const ownHeaders = ['x-request-id', 'date', 'connection', 'keep-alive', 'content-digest', 'signature'];
const listHeaders = (headers: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...headers].filter(([name]) => !ownHeaders.includes(name)));

/** Sends a request over a socket and through the router, and compares the answers. */
async function compare(call: Call) {
  const before = routed;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: headersOf(call),
    body: textOf(call.body),
  });
  const short = { status: answer.status, body: clean(await answer.text()) };
  const byRouter = routed - before;
  const long = await routerWay(call);
  expect(short).toEqual({ status: long.status, body: long.body });
  expect(listHeaders(answer.headers)).toEqual(listHeaders(Object.entries(long.headers)));
  return { ...short, requestId: answer.headers.get('x-request-id'), byRouter };
}

const byKey = (body: unknown, key = own.key): Call => ({ headers: { 'x-api-key': key }, body });

describe('a request for a licence that the fast path answers', () => {
  const calls: Record<string, [() => Call, number]> = {
    'a domain': [() => byKey({ purchase_code: codes.active, domain }), 200],
    'a URL in capitals': [
      () => byKey({ purchase_code: codes.active, domain: 'HTTPS://WWW.Shop.example/' }),
      200,
    ],
    'spaces around and capitals in the code': [
      () => byKey({ purchase_code: ` ${codes.active?.toUpperCase()} `, domain }),
      200,
    ],
    'an end of support': [() => byKey({ purchase_code: codes.supported, domain }), 200],
    'a machine id': [() => byKey({ purchase_code: codes.machine, machine_id: ' AB-12 ' }), 200],
    'a refunded code': [() => byKey({ purchase_code: codes.refunded, domain }), 404],
    'a cancelled code': [() => byKey({ purchase_code: codes.cancelled, domain }), 404],
    'a disputed code': [() => byKey({ purchase_code: codes.disputed, domain }), 404],
    'a blocked code': [() => byKey({ purchase_code: codes.blocked, domain }), 404],
    'a replaced code': [() => byKey({ purchase_code: codes.replaced, domain }), 404],
    'a licence that ends': [() => byKey({ purchase_code: codes.term, domain }), 200],
    'a licence that has ended': [() => byKey({ purchase_code: codes.ended, domain }), 409],
    'a key for old plug-ins and a refunded code': [
      () => byKey({ purchase_code: codes.refunded, domain }, own.oldPlugin),
      404,
    ],
    'a test key and a test code': [() => byKey({ purchase_code: makeTestCode('1'), domain }, own.test), 200],
    'a test key and a live code': [() => byKey({ purchase_code: codes.active, domain }, own.test), 404],
    'a live key and a test code': [() => byKey({ purchase_code: makeTestCode('1'), domain }), 404],
    'its item': [() => byKey({ purchase_code: codes.active, domain, item_id: Number(itemId) }), 200],
    'another item': [() => byKey({ purchase_code: codes.active, domain, item_id: 999_999 }), 404],
    'unknown fields': [() => byKey({ purchase_code: codes.active, domain, more: { a: [1] } }), 200],
    'a publishable key': [() => byKey({ purchase_code: codes.active, domain }, own.publishable), 200],
    'a publishable key and a code of another item': [
      () => byKey({ purchase_code: codes.otherItem, domain }, own.publishable),
      404,
    ],
    'a key of another workspace': [() => byKey({ purchase_code: codes.active, domain }, own.foreign), 404],
    'an unknown code': [() => byKey({ purchase_code: codes.unknown, domain }), 404],
    'a blank code': [() => byKey({ purchase_code: '  ', domain }), 400],
    'no host': [() => byKey({ purchase_code: codes.active }), 400],
    'a domain and a machine': [() => byKey({ purchase_code: codes.active, domain, machine_id: 'x' }), 400],
    'a text that is no host': [() => byKey({ purchase_code: codes.active, domain: 'https://' }), 400],
    'a second host without a seat': [() => byKey({ purchase_code: codes.active, domain: 'b.example' }), 409],
    'two domains, of which the last counts': [
      () => byKey(`{"domain":"b.example","domain":"${domain}","purchase_code":"${codes.active}"}`),
      200,
    ],
  };
  it.each(Object.entries(calls))(
    'a request with %s gets the answer of the router',
    async (_name, [call, status]) => {
      const answer = await compare(call());
      expect([answer.status, answer.byRouter]).toEqual([status, 0]);
    },
  );

  it('after 30 changes of a purchase within a minute, a further host gets 429', async () => {
    const activate = (n: number) => byKey({ purchase_code: codes.changing, domain: `site${n}.local` });
    for (let n = 1; n <= 30; n++) expect((await routerWay(activate(n))).status).toBe(200);
    expect(await compare(activate(31))).toMatchObject({ status: 429, byRouter: 0 });
    expect(await compare(activate(1))).toMatchObject({ status: 200, byRouter: 0 });
  });

  it('after too many wrong codes, a wrong code gets 429, and a right code is answered', async () => {
    const wrong = byKey({ purchase_code: codes.unknown, domain });
    let answer = await compare(wrong);
    for (let n = 0; n < 70 && answer.status === 404; n++) answer = await compare(wrong);
    expect(answer).toMatchObject({ status: 429, byRouter: 0 });
    expect(answer.body).toContain('rate_limited');
    expect(await compare(byKey({ purchase_code: codes.active, domain }))).toMatchObject({ status: 200 });
  });

  it('a request to the fast path is logged with the same line as a request to the router', async () => {
    const { requestId } = await compare(byKey({ purchase_code: codes.supported, domain }));
    const read = async (isShort: boolean) =>
      (
        await given.db.query<Record<string, unknown>>(
          `select method, route, status, code, item_id, code_hint from request_log
           where workspace_id = $1 and code_hint = $2 and (request_id = $3) = $4`,
          [workspaceId, `…${codes.supported?.slice(-4)}`, requestId, isShort],
        )
      ).rows;
    await eventually(async () => {
      const [short, long] = [await read(true), await read(false)];
      expect(short).toHaveLength(1);
      expect(long[0]).toEqual(short[0]);
    });
  });
});

describe('a request for a licence that the fast path does not answer', () => {
  const body = () => ({ purchase_code: codes.active, domain });
  const calls: Record<string, () => Call> = {
    'no key': () => ({ body: body() }),
    'a wrong key': () => byKey(body(), 'nope'),
    'a key without the scope': () => byKey(body(), own.reader),
    'a bearer key': () => ({ headers: { authorization: `Bearer ${own.key}` }, body: body() }),
    'a nonce': () => ({ headers: { 'x-api-key': own.key, 'x-nonce': 'abcdefghijklmnop-1' }, body: body() }),
    'the origin of a page': () => ({
      headers: { 'x-api-key': own.key, origin: 'https://shop.example' },
      body: body(),
    }),
    'no code': () => byKey({ domain }),
    'a code that is a number': () => byKey({ purchase_code: 5, domain }),
    'a code that is too long': () => byKey({ purchase_code: 'c'.repeat(129), domain }),
    'a domain that is null': () => byKey({ purchase_code: codes.active, domain: null }),
    'an empty domain': () => byKey({ purchase_code: codes.active, domain: '' }),
    'an item that is a text': () => byKey({ purchase_code: codes.active, domain, item_id: '1' }),
    'an item that is not positive': () => byKey({ purchase_code: codes.active, domain, item_id: 0 }),
    'an escaped domain': () => byKey(`{"purchase_code":"${codes.active}","domain":"\\u0061.example"}`),
    'a domain that is not ASCII': () => byKey({ purchase_code: codes.active, domain: 'zoë.example' }),
    'a body that is not valid JSON': () => byKey('{"purchase_code":'),
    'an array as the body': () => byKey('[]'),
  };
  it.each(Object.entries(calls))('a request with %s goes unchanged to the router', async (_name, call) => {
    expect((await compare(call())).byRouter).toBe(1);
  });
});
