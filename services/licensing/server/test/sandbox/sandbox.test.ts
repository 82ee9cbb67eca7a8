// Test keys see only the sandbox of their workspace, and their requests are not counted as usage.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { slowCode } from '../../src/purchases/validation/test-codes.ts';
import { testPurchases } from '../../src/sandbox/test-data.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const valid = testPurchases[0]?.code ?? '';

let given: Given;

beforeAll(async () => {
  given = await givenLicensing();
});

afterAll(() => given.close());

async function givenSeller() {
  const workspaceId = await given.workspace();
  const browser = await givenSignedIn(given, workspaceId);
  const make = (wanted: object) =>
    browser.post(`${browser.base}/api-keys`, { name: 'Tests', mode: 'test', ...wanted });
  return { workspaceId, browser, keys: `${browser.base}/api-keys`, make };
}

const ask = async (key: string, url: string) =>
  (await given.app.inject({ url, headers: { 'x-api-key': key } })).json();

const validate = async (key: string, code: string) => {
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/purchases/validation',
    headers: { 'x-api-key': key },
    payload: { purchase_code: code },
  });
  return answer.json().code ?? answer.statusCode;
};

it('a test key sees no live data, and a live key sees no data of the sandbox', async () => {
  const { workspaceId, make } = await givenSeller();
  const itemId = await given.item(workspaceId, { name: 'Real' });
  const { code } = await given.purchase(workspaceId, itemId);
  const live = await given.apiKey(workspaceId);
  const made = await make({});
  expect(made.body.data.api_key).toMatchObject({ mode: 'test', kind: 'secret', state: 'active' });
  const test = made.body.data.secret;
  expect(test).toMatch(/^ck_test_[\w-]{43}$/);

  expect([await validate(live, code), await validate(test, code)]).toEqual([200, 'purchase_not_found']);
  expect([await validate(test, valid), await validate(live, valid)]).toEqual([200, 'purchase_not_found']);
  const testItems = (await ask(test, '/api/items/all')).items;
  const names = testItems.map((item: { name: string }) => item.name);
  expect(names.toSorted()).toEqual(['Test clip', 'Test theme', 'Test track']);
  expect((await ask(live, '/api/items/all')).items).toMatchObject([{ name: 'Real' }]);
  expect((await ask(test, `/api/items/item?item_id=${itemId}`)).code).toBe('item_not_found');
  const other = `/api/items/item?item_id=${testItems[0].id}`;
  expect((await ask(live, other)).code).toBe('item_not_found');
  expect(JSON.stringify(await ask(test, '/api/account/details'))).toContain('test-seller');
  expect(JSON.stringify(await ask(live, '/api/account/details'))).not.toContain('test-seller');
});

it('a test key gets a licence for a test code, signed with a key of the sandbox', async () => {
  const { make } = await givenSeller();
  const headers = { 'x-api-key': (await make({})).body.data.secret };
  const payload = { purchase_code: valid, domain: 'shop.example' };
  const issued = await given.app.inject({ method: 'POST', url: '/api/v1/licences', headers, payload });
  expect(issued.statusCode, issued.body).toBe(200);
  const { licence, jwks_url } = issued.json().data;
  const { kid } = JSON.parse(Buffer.from(licence.split('.')[0], 'base64url').toString());
  const keys = await given.app.inject({ url: new URL(jwks_url).pathname });
  expect(keys.json().keys).toMatchObject([{ kid }]);
});

it('the first test keys of a workspace share one sandbox, even if created concurrently', async () => {
  const [one, two] = [await givenSeller(), await givenSeller()];
  const made = await Promise.all([one.make({}), one.make({}), one.make({}), two.make({})]);
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const ids = await Promise.all(
    made.map(async ({ body }) => (await ask(body.data.secret, '/api/items/all')).items[0].id),
  );
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);
  const refused = await two.make({ kind: 'publishable', item_id: ids[0] });
  expect(refused.body.errors).toHaveProperty('item_id');
});

it('a new test key adds missing codes to a sandbox that an earlier version created', async () => {
  const { workspaceId, make } = await givenSeller();
  const { secret } = (await make({})).body.data;
  const gone = await given.db.query(
    `delete from purchases using workspaces w
     where w.sandbox_of = $1 and workspace_id = w.id and code_hint = '…0001'`,
    [workspaceId],
  );
  expect(gone.rowCount).toBe(1);
  expect(await validate(secret, valid)).toBe('purchase_not_found');
  await make({});
  expect(await validate(secret, valid)).toBe(200);
  const { rows } = await given.db.query<{ count: bigint }>(
    `select count(*) from purchases p join workspaces w on w.id = p.workspace_id
     where w.sandbox_of = $1`,
    [workspaceId],
  );
  expect(rows[0]?.count).toBe(BigInt(testPurchases.length));
});

it('wrong codes with a test key are limited as with a live key, and valid codes still work', async () => {
  const { make } = await givenSeller();
  const { secret } = (await make({})).body.data;
  const guesses = await Promise.all(
    Array.from({ length: 61 }, (_, n) => validate(secret, `no such code ${n}`)),
  );
  expect(guesses.filter((code) => code === 'rate_limited')).toHaveLength(1);
  expect(await validate(secret, valid)).toBe(200);
});

it('a test key cannot have write scopes, and an imported key cannot look like a test key', async () => {
  const { keys, make, browser } = await givenSeller();
  const writing = await make({ scopes: ['items:read', 'purchases:write'] });
  expect([writing.status, Object.keys(writing.body.errors)]).toEqual([400, ['scopes']]);
  for (const api_key of ['ck_test_0123456789abcdef', 'ck_pub_test_0123456789abcdef']) {
    const brought = await browser.post(`${keys}/import`, { name: 'Old', api_key });
    expect([brought.status, Object.keys(brought.body.errors)]).toEqual([400, ['api_key']]);
  }
  const asTest = { name: 'Old', mode: 'test', api_key: 'old_0123456789abcdef' };
  const brought = await browser.post(`${keys}/import`, asTest);
  expect([brought.status, Object.keys(brought.body.errors)]).toEqual([400, ['mode']]);
  const secret = (await make({})).body.data.secret;
  const write = await given.app.inject({
    method: 'POST',
    url: '/api/v1/items',
    headers: { 'x-api-key': secret },
    payload: {},
  });
  expect(write.json().code).toBe('insufficient_scope');
});

it('a test key can be changed only in its own workspace, and its successor is a test key too', async () => {
  const { keys, make, browser } = await givenSeller();
  const stranger = await givenSeller();
  const made = await make({ kind: 'publishable' });
  const { api_key: key, secret } = made.body.data;
  expect(secret).toMatch(/^ck_pub_test_/);
  expect(key).toMatchObject({ kind: 'publishable', hint: `ck_pub_test_…${secret.slice(-4)}` });
  const rotated = await browser.post(`${keys}/${key.id}/rotate`, { overlap: '1h' });
  expect(rotated.body.data).toMatchObject({
    api_key: { mode: 'test', kind: 'publishable', item_id: key.item_id },
    old_api_key: { replaced_by: rotated.body.data.api_key.id },
  });
  const fresh = rotated.body.data.secret;
  expect(fresh).toMatch(/^ck_pub_test_/);
  expect(await validate(fresh, valid)).toBe(200);
  const listed = await browser.get(keys);
  expect(listed.body.data.api_keys.map((each: { mode: string }) => each.mode)).toEqual(['test', 'test']);
  expect((await stranger.browser.get(`${stranger.keys}/${key.id}`)).status).toBe(404);
  expect((await stranger.browser.post(`${stranger.keys}/${key.id}/revoke`)).status).toBe(404);
  await browser.post(`${keys}/${key.id}/revoke`);
  await expect.poll(() => validate(secret, valid)).toBe('api_key_revoked');
  const { rows } = await given.db.query<{ id: bigint }>(
    'select id from workspaces where sandbox_of is not null',
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { id } of rows) {
    expect((await browser.get(`/panel/workspaces/${id}`)).status).toBe(404);
  }
});

it('requests with a test key are marked in the request log, and are not counted as usage', async () => {
  const { workspaceId, browser, make } = await givenSeller();
  const { api_key: key, secret: test } = (await make({})).body.data;
  const itemId = await given.item(workspaceId);
  const { code } = await given.purchase(workspaceId, itemId);
  const live = await given.apiKey(workspaceId);
  for (const [secret, known] of [
    [live, code],
    [test, valid],
    [live, code],
    [test, 'nobody-knows-this-code'],
    [live, code],
  ] as const) {
    given.clock.now = new Date(given.clock.now.getTime() + 1000);
    await validate(secret, known);
  }

  const log = `${browser.base}/requests`;
  const marks = async (query: string) => {
    const { data } = (await browser.get(`${log}?${query}`)).body;
    return data.requests.map(({ mode }: { mode: string }) => mode);
  };
  await expect.poll(() => marks('limit=9')).toEqual(['live', 'test', 'live', 'test', 'live']);
  const { next_cursor: next } = (await browser.get(`${log}?limit=3`)).body.data;
  expect(await marks(`limit=3&cursor=${next}`)).toEqual(['test', 'live']);
  expect(await marks(`api_key_id=${key.id}&status=4xx`)).toEqual(['test']);

  const counts = async () => {
    const { rows } = await given.db.query<{ valid: bigint; invalid: bigint }>(
      `select sum(valid)::bigint as valid, sum(invalid)::bigint as invalid
       from validation_hours where workspace_id = $1`,
      [workspaceId],
    );
    return rows[0];
  };
  await expect.poll(counts).toEqual({ valid: 3n, invalid: 0n });
  const shown = (await browser.get(`${browser.base}/api-keys/${key.id}`)).body.data.api_key;
  expect(shown.last_used.at).toBe('2026-05-04T10:00:04Z');
});

it('calls with a test key complete no step of the checklist that new sellers see', async () => {
  const { browser, make } = await givenSeller();
  const { secret } = (await make({})).body.data;
  expect(await validate(secret, valid)).toBe(200);
  const { data } = (await browser.get(`${browser.base}/overview`)).body;
  expect(data.progress).toEqual({
    has_key: false,
    has_item: false,
    first_call_seen: false,
    first_valid_code: false,
  });
  expect([data.sales, data.totals]).toEqual([[], []]);
});

it('a workspace at its limit of concurrent slow answers does not affect other workspaces', async () => {
  const [greedy, modest] = [await givenSeller(), await givenSeller()];
  // Both keys belong to one workspace. So both keys together get at most 20 slow answers at a time.
  const keys = [await greedy.make({}), await greedy.make({})].map(({ body }) => body.data.secret);
  const { secret } = (await modest.make({})).body.data;
  const slow = given.slowCode.wait;
  const held: (() => void)[] = [];
  given.slowCode.wait = () => new Promise<void>((resolve) => held.push(resolve));
  let refused = 0;
  const many = Array.from({ length: 110 }, async (_, n) => {
    const answer = await validate(keys[n % 2], slowCode);
    if (answer === 'rate_limited') refused++;
    return answer;
  });
  // The 20 slow answers wait until the test releases them. The other 90 requests are refused.
  await eventually(() => expect([refused, held.length]).toEqual([90, 20]));
  const few = Array.from({ length: 5 }, () => validate(secret, slowCode));
  await eventually(() => expect(held).toHaveLength(25));
  for (const release of held) release();
  expect(await Promise.all(few)).toEqual(Array(5).fill(200));
  expect((await Promise.all(many)).filter((answer) => answer === 200)).toHaveLength(20);
  given.slowCode.wait = slow;
});
