// Management of purchases by key and by session. A sale is issued once, and can be changed and found. The
// buyer of a sale can be erased. No other workspace sees the sale.
import { dumpRows } from '@counterfoil/kit/testing/dump-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothClients, keyClient, type TestClient, withoutRequestId } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let clients: TestClient[];

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { priceRegularMinor: 1999n, priceExtendedMinor: 9900n });
  clients = await bothClients(given, workspaceId);
});

afterAll(() => given.close());

const countPurchases = async () =>
  (await given.db.query<{ n: bigint }>('select count(*) as n from purchases')).rows[0]?.n;

const auditOf = async (id: number) =>
  (
    await given.db.query<{ action: string; details: Record<string, unknown> }>(
      `select action, details from audit_log
       where subject_kind = 'purchase' and subject_id = $1 order by id`,
      [String(id)],
    )
  ).rows;

async function issue(client: TestClient, body: object = {}) {
  const answer = await client.send('POST', '/purchases', { item_id: Number(itemId), ...body });
  expect(answer.body).toMatchObject({ status: 'success' });
  return answer.body.data.purchase as { id: number; purchase_code: string };
}

describe.each(['key', 'panel'] as const)('management of purchases (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;

  it('a sale gets a generated code, the price of the item, and the current date', async () => {
    const answer = await client().send('POST', '/purchases', { item_id: String(itemId) });
    expect(answer.body.data.purchase).toEqual({
      id: expect.any(Number),
      purchase_code: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/),
      code_hint: expect.stringMatching(/^…[0-9a-f]{4}$/),
      item_id: Number(itemId),
      license_type: 'Regular',
      price: 19.99,
      currency: 'USD',
      state: 'active',
      supported_until: '2026-11-04T10:00:00Z',
      downloaded: false,
      blocked_at: '',
      downloaded_at: '',
      date: '2026-05-04T10:00:00Z',
      buyer: { name: '', email: '' },
      created_at: '2026-05-04T10:00:00Z',
      updated_at: '2026-05-04T10:00:00Z',
    });
    const { id } = answer.body.data.purchase;
    const read = await client().send('GET', `/purchases/${id}`);
    expect(read.body.data).toEqual(answer.body.data);
    expect((await auditOf(id)).map((row) => row.action)).toEqual(['purchase_issued']);
  });

  it('a sale can define its code, licence, price, support and buyer', async () => {
    const body = {
      purchase_code: ` Own-Code-${name} `,
      license_type: 'Extended',
      price: 0.07,
      currency: 'EUR',
      date: '2020-02-29',
      supported_until: '2021-01-01T00:00:00+02:00',
      buyer: { name: 'Bo Ek', email: 'Bo@Buyer.Example' },
    };
    expect(await issue(client(), body)).toMatchObject({
      purchase_code: `Own-Code-${name}`,
      license_type: 'Extended',
      price: 0.07,
      currency: 'EUR',
      date: '2020-02-29T00:00:00Z',
      supported_until: '2020-12-31T22:00:00Z',
      buyer: { name: 'Bo Ek', email: 'bo@buyer.example' },
    });
  });

  it.each([
    ['active', 'refund', 'refunded'],
    ['active', 'cancel', 'cancelled'],
    ['active', 'dispute', 'disputed'],
    ['disputed', 'dispute-won', 'active'],
    ['disputed', 'refund', 'refunded'],
  ] as const)(
    'the state %s changes by the operation %s to %s, and repeating the request changes nothing',
    async (from, verb, to) => {
      const { id } = await given.purchase(workspaceId, itemId, { state: from });
      const path = `/purchases/${id}/${verb}`;
      const changed = await client().send('POST', path);
      expect(changed.body.data.purchase.state).toBe(to);
      const lines = await auditOf(Number(id));
      expect(lines.at(-1)?.details).toEqual({ from });
      expect((await client().send('POST', path)).body.data).toEqual(changed.body.data);
      expect(await auditOf(Number(id))).toHaveLength(lines.length);
    },
  );

  it.each([
    ['disputed', 'cancel'],
    ['refunded', 'cancel'],
    ['refunded', 'dispute'],
    ['refunded', 'dispute-won'],
    ['cancelled', 'refund'],
    ['cancelled', 'dispute'],
    ['cancelled', 'dispute-won'],
  ] as const)('a %s purchase refuses the operation %s with 409, and stays unchanged', async (state, verb) => {
    const { id } = await given.purchase(workspaceId, itemId, { state });
    const answer = await client().send('POST', `/purchases/${id}/${verb}`);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'purchase_state_conflict', data: { state } },
    });
    expect((await client().send('GET', `/purchases/${id}`)).body.data.purchase.state).toBe(state);
  });

  it('support is extended, never shortened, and only for active purchases', async () => {
    const { id } = await given.purchase(workspaceId, itemId);
    const extend = (until: string) =>
      client().send('POST', `/purchases/${id}/support`, { supported_until: until });
    expect((await extend('2027-01-01')).body.data.purchase.supported_until).toBe('2027-01-01T00:00:00Z');
    expect((await extend('2028-01-01')).status).toBe(200);
    expect((await extend('2028-01-01')).status).toBe(200);
    expect((await extend('2027-06-01')).body.errors).toHaveProperty('supported_until');
    expect((await extend('2027-02-30')).status).toBe(400);
    expect((await extend('9999-12-31')).body.errors.supported_until).toEqual([
      'must be a moment in ISO 8601 from 1970 to 9998.',
    ]);
    expect((await auditOf(Number(id))).map((row) => row.action)).toEqual([
      'purchase_issued',
      'purchase_support_extended',
      'purchase_support_extended',
    ]);
    await client().send('POST', `/purchases/${id}/refund`);
    expect((await extend('2029-01-01')).body.code).toBe('purchase_state_conflict');
  });

  it('the list is paged, and can be filtered by code, buyer, item and state', async () => {
    const own = await given.item(workspaceId);
    const email = `${name}@pages.example`;
    const ids: bigint[] = [];
    for (let i = 0; i < 5; i++) {
      const wanted = { buyerEmail: email, state: i === 2 ? 'refunded' : 'active' } as const;
      ids.unshift((await given.purchase(workspaceId, own, wanted)).id);
    }
    const { code } = await given.purchase(workspaceId, own, { code: `FIND-ME-${name}` });
    const find = async (query: string) => {
      const { body } = await client().send('GET', `/purchases?${query}`);
      expect(body.status).toBe('success');
      return body.data as { purchases: { id: number; code_hint: string }[]; next_cursor?: string };
    };
    const byCode = await find(`purchase_code=${code.toLowerCase()}`);
    expect(byCode.purchases).toHaveLength(1);
    expect(JSON.stringify(byCode)).not.toContain(code);
    const first = await find(`buyer_email=${email.toUpperCase()}&limit=3`);
    const second = await find(`buyer_email=${email}&limit=3&cursor=${first.next_cursor}`);
    expect([...first.purchases, ...second.purchases].map((each) => each.id)).toEqual(ids.map(Number));
    expect(second.next_cursor).toBeUndefined();
    expect((await find(`item_id=${own}`)).purchases).toHaveLength(6);
    expect((await find(`item_id=${own}&state=refunded`)).purchases.map((each) => each.id)).toEqual([
      Number(ids[2]),
    ]);
    expect((await find('purchase_code=nobody-has-this')).purchases).toEqual([]);
  });

  it('purchases are found by the beginning of the buyer’s name', async () => {
    const names = ['Zoë_Ray', 'zoë_ray Junior', 'ZoëxRay', 'Anna Zoë_Ray'];
    for (const each of names) await issue(client(), { buyer: { name: `${each} ${name}` } });
    const find = async (begin: string) => {
      const path = `/purchases?buyer_name=${encodeURIComponent(begin)}`;
      const { purchases } = (await client().send('GET', path)).body.data;
      return purchases.map((each: { buyer: { name: string } }) => each.buyer.name);
    };
    const found = await find('ZOë_');
    expect(found).toEqual(expect.arrayContaining(names.slice(0, 2).map((n) => `${n} ${name}`)));
    expect(found.join()).not.toMatch(/ZoëxRay|Anna/);
    expect(await find('%oë')).toEqual([]);
  });

  it("after an erasure, no purchase and no audit line has the buyer's name or e-mail", async () => {
    const email = `erase-${name}@buyer.example`;
    const { id } = await issue(client(), { buyer: { name: 'Erin Canary', email } });
    await issue(client(), { buyer: { name: 'Erin Canary', email: email.toUpperCase() } });
    const erased = await client().send('POST', '/buyers/erase', { email: ` ${email}` });
    expect(erased.body.data).toEqual({ purchases: 2 });
    const read = await client().send('GET', `/purchases/${id}`);
    expect(read.body.data.purchase).toMatchObject({
      buyer: { name: '', email: '' },
      state: 'active',
    });
    const { rows } = await given.db.query<{ text: string }>(
      `select p::text || coalesce((select string_agg(a::text, '') from audit_log a), '') ` +
        'as text from purchases p',
    );
    const all = rows.map((row) => row.text).join('');
    expect(all).not.toContain(email);
    expect(all).not.toContain('Erin Canary');
    expect(all).toContain('buyer_erased');
    expect((await client().send('POST', '/buyers/erase', { email })).body.data).toEqual({
      purchases: 0,
    });
    expect((await client().send('POST', '/buyers/erase', { email: 'nobody' })).status).toBe(400);
  });

  it('an erasure by purchase id erases the buyer only in this purchase, and needs no e-mail', async () => {
    const erase = (body: object) => client().send('POST', '/buyers/erase', body);
    const { id } = await issue(client(), { buyer: { name: 'Only A Name' } });
    const other = await issue(client(), { buyer: { name: 'Only A Name' } });
    expect((await erase({ purchase_id: id })).body.data).toEqual({ purchases: 1 });
    expect((await erase({ purchase_id: id })).body.data).toEqual({ purchases: 0 });
    const nameOf = async (each: number) =>
      (await client().send('GET', `/purchases/${each}`)).body.data.purchase.buyer.name;
    expect([await nameOf(id), await nameOf(other.id)]).toEqual(['', 'Only A Name']);
    for (const body of [{}, { email: 'a@b.example', purchase_id: id }, { purchase_id: 0 }])
      expect((await erase(body)).status).toBe(400);
    const stranger = await given.workspace();
    const foreign = await given.purchase(stranger, await given.item(stranger), { buyerName: 'X' });
    expect((await erase({ purchase_id: Number(foreign.id) })).body.data).toEqual({ purchases: 0 });
  });

  it.each([
    ['no item', { item_id: undefined }],
    ['an item id of 0', { item_id: 0 }],
    ['an item id that is a fraction', { item_id: 1.5 }],
    ['an item id in hexadecimal', { item_id: '0x10' }],
    ['an item id of 30 digits', { item_id: '9'.repeat(30) }],
    ['an empty code', { purchase_code: '  ' }],
    ['a code of 129 characters', { purchase_code: 'a'.repeat(129) }],
    ['a code of 10 kB', { purchase_code: 'a'.repeat(10_000) }],
    ['a code with a NUL', { purchase_code: 'a\u0000b' }],
    ['a code with a lone surrogate', { purchase_code: 'a\ud800' }],
    ['a code that is a list', { purchase_code: ['a'] }],
    ['an unknown licence', { license_type: 'Gold' }],
    ['a price with three decimals', { price: 1.001 }],
    ['a negative price', { price: -1 }],
    ['a currency that is not the currency of the item, without a price', { currency: 'EUR' }],
    ['an unknown currency', { currency: 'ABC', price: 1 }],
    ['an invalid date', { date: 'yesterday' }],
    ['the 30th of February', { date: '2024-02-30' }],
    ['the year 9999', { supported_until: '9999-12-31T23:59:59-23:00' }],
    ['an invalid e-mail', { buyer: { email: 'x' } }],
    ['a name with a line break', { buyer: { name: 'a\nb' } }],
  ])('a sale with %s is refused with 400, and nothing is recorded', async (_title, body) => {
    const before = await countPurchases();
    const answer = await client().send('POST', '/purchases', { item_id: Number(itemId), ...body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ status: 'error', retryable: false });
    expect(await countPurchases()).toBe(before);
  });
});

describe('a repeated sale', () => {
  const client = () => clients[0] as TestClient;
  const send = (body: object, key?: string) =>
    client().send(
      'POST',
      '/purchases',
      { item_id: Number(itemId), ...body },
      key ? { 'idempotency-key': key } : {},
    );

  it('a repeated Idempotency-Key returns the same purchase, even with another field order', async () => {
    const first = await send({ price: 5, buyer: { name: 'A', email: 'a@x.example' } }, 'k1');
    const second = await send({ buyer: { email: 'a@x.example', name: 'A' }, price: 5 }, 'k1');
    expect(withoutRequestId(second)).toBe(withoutRequestId(first));
    const other = await send({ price: 6 }, 'k1');
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  it('a sale that is sent fifty times at the same time creates one purchase', async () => {
    const before = (await countPurchases()) ?? 0n;
    const answers = await Promise.all(Array.from({ length: 50 }, () => send({ price: 1 }, 'race')));
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await countPurchases()).toBe(before + 1n);
  });

  it('a repeated code returns the same purchase, or 409 if another field of the sale differs', async () => {
    const body = { purchase_code: 'TWICE-1', price: 3, date: '2024-01-01' };
    const first = await send(body);
    expect(withoutRequestId(await send({ ...body, purchase_code: 'twice-1' }))).toBe(withoutRequestId(first));
    for (const change of [
      { price: 4 },
      { license_type: 'Extended' },
      { date: '2024-01-02' },
      { supported_until: '2030-01-01' },
      { buyer: { name: 'X' } },
    ])
      expect(await send({ ...body, ...change })).toMatchObject({
        status: 409,
        body: { code: 'purchase_code_taken' },
      });
  });

  it('a sale that is repeated after its refund returns the same purchase, still refunded', async () => {
    const body = { purchase_code: 'TWICE-2' };
    const { id } = (await send(body, 'k2')).body.data.purchase;
    await client().send('POST', `/purchases/${id}/refund`);
    expect((await send(body, 'k2')).body.data.purchase).toMatchObject({ id, state: 'refunded' });
    expect((await send(body)).body.data.purchase).toMatchObject({ id, state: 'refunded' });
  });

  it('a sale in another workspace is separate, even with the same Idempotency-Key and code', async () => {
    const other = await given.workspace();
    const foreignItem = await given.item(other);
    const [theirs] = (await bothClients(given, other)) as [TestClient];
    const own = await send({ purchase_code: 'SHARED' }, 'shared');
    const foreign = await theirs.send(
      'POST',
      '/purchases',
      { item_id: Number(foreignItem), purchase_code: 'SHARED' },
      { 'idempotency-key': 'shared' },
    );
    expect(foreign.status).toBe(200);
    expect(foreign.body.data.purchase.id).not.toBe(own.body.data.purchase.id);
  });
});

it("every route answers another workspace's purchase or item like an unknown id", async () => {
  const other = await given.workspace();
  const foreignItem = await given.item(other);
  const { id: foreign } = await given.purchase(other, foreignItem);
  const routes = [
    ['GET', ''],
    ['POST', '/refund'],
    ['POST', '/cancel'],
    ['POST', '/dispute'],
    ['POST', '/dispute-won'],
    ['POST', '/support', { supported_until: '2030-01-01' }],
    ['POST', '/download-links', {}],
    ['POST', '/reissue'],
    ['PATCH', '', { buyer: { name: 'X' } }],
  ] as const;
  for (const client of clients) {
    for (const [method, path, body] of routes) {
      const [theirs, nobodys] = await Promise.all(
        [foreign, 999_999_999n].map((id) => client.send(method, `/purchases/${id}${path}`, body)),
      );
      expect(theirs).toMatchObject({ status: 404, body: { code: 'purchase_not_found' } });
      expect(withoutRequestId(theirs as never)).toBe(withoutRequestId(nobodys as never));
    }
    const [theirs, nobodys] = await Promise.all(
      [foreignItem, 999_999_999n].map((id) => client.send('POST', '/purchases', { item_id: Number(id) })),
    );
    expect(theirs).toMatchObject({ status: 404, body: { code: 'item_not_found' } });
    expect(withoutRequestId(theirs as never)).toBe(withoutRequestId(nobodys as never));
    expect((await client.send('GET', `/purchases?item_id=${foreignItem}`)).body.data.purchases).toEqual([]);
  }
});

it('neither the database nor the log has a code or an Idempotency-Key in clear text', async () => {
  const code = 'CANARY-CODE-4711';
  const [client] = clients as [TestClient];
  const body = { item_id: Number(itemId), purchase_code: code };
  const issued = await client.send('POST', '/purchases', body, { 'idempotency-key': 'CANARY-KEY-1' });
  const { id } = issued.body.data.purchase;
  const found = await client.send('GET', `/purchases?purchase_code=${code}`);
  expect(found.body.data.purchases).toMatchObject([{ id }]);
  const rows = await dumpRows(given.db);
  expect(rows).toMatch(new RegExp(`^purchases \\(.*\\b${id}\\b`, 'm'));
  expect(rows).not.toMatch(/CANARY/i);
  expect(given.logLines.length).toBeGreaterThan(0);
  expect(given.logLines.join('')).not.toMatch(/CANARY/i);
});

it('a key without purchases:write is refused', async () => {
  const narrow = keyClient(given, await given.apiKey(workspaceId, { scopes: ['items:write'] }));
  for (const [method, path] of [
    ['GET', '/purchases'],
    ['POST', '/buyers/erase'],
    ['PUT', '/account/balance'],
  ] as const)
    expect(await narrow.send(method, path)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
});

describe('the balance of an account', () => {
  it('the balance can be set by key and by session, with an audit line; sales do not change it', async () => {
    for (const [index, client] of clients.entries()) {
      const set = await client.send('PUT', '/account/balance', {
        balance: 100.07 + index,
        currency: 'USD',
      });
      expect(set.body.data).toEqual({ balance: 100.07 + index, currency: 'USD' });
    }
    const [client] = clients as [TestClient];
    await issue(client);
    expect((await client.send('PUT', '/account/balance', { balance: -3.5 })).body.data.balance).toBe(-3.5);
    const { rows } = await given.db.query(
      `select details from audit_log where action = 'balance_set' and workspace_id = $1 order by id`,
      [workspaceId],
    );
    expect(rows.map((row) => row.details)).toEqual([
      { currency: 'USD', from: '0.00', to: '100.07' },
      { currency: 'USD', from: '100.07', to: '101.07' },
      { currency: 'USD', from: '101.07', to: '-3.50' },
    ]);
  });

  it.each([{ balance: 1.001 }, { balance: '5,00' }, { balance: 1, currency: 'EUR' }, {}, { balance: 1e20 }])(
    'the balance of an account cannot be set by the body %j, which is refused with 400',
    async (body) => {
      expect((await clients[0]?.send('PUT', '/account/balance', body))?.status).toBe(400);
    },
  );
});
