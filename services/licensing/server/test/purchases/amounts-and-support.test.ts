// Amounts as text, free items, items without an extended price, and the default length of support.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { json, validate } from '../environment/validation-calls.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let key: string;
let clients: TestClient[];

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { priceRegularMinor: 1999n, priceExtendedMinor: 9900n });
  key = await given.apiKey(workspaceId);
  clients = await bothClients(given, workspaceId);
});

afterAll(() => given.close());

const media = { thumbnail: 'https://m.example/t.png', preview_image: 'https://m.example/p.png' };

describe.each(['key', 'panel'] as const)('amounts (access by %s)', (name) => {
  const client = () => clients.find((each) => each.name === name) as TestClient;
  const sell = async (body: object, headers: Record<string, string> = {}) =>
    client().send('POST', '/purchases', { item_id: Number(itemId), ...body }, headers);

  it('an amount may be a number or a text', async () => {
    for (const price of [12.5, '12.50', '12.5', '0012.5']) {
      expect((await sell({ price })).body.data.purchase.price).toBe(12.5);
    }
    const item = { kind: 'image', name: 'X', price: { regular: '19.99', extended: '99' } };
    const created = (await client().send('POST', '/items', item)).body.data.item;
    expect(created.price).toEqual({ regular: 19.99, extended: 99 });
    const edited = await client().send('PATCH', `/items/${created.id}`, {
      price: { regular: '5' },
    });
    expect(edited.body.data.item.price).toEqual({ regular: 5, extended: 99 });
    const balance = await client().send('PUT', '/account/balance', { balance: '-10.50' });
    expect(balance.body.data.balance).toBe(-10.5);
  });

  it.each(['1e3', '12,50', ' 12', '', '12.505', '-1', true, null, ['1'], '0x10'].map((value) => [value]))(
    'a price of %j is refused, and the error names the field price',
    async (price) => {
      const refused = await sell({ price });
      expect(refused.status).toBe(400);
      expect(Object.keys(refused.body.errors)).toEqual(['price']);
    },
  );

  it('a repeated sale with the price 12.50 instead of 12.5 is the same sale', async () => {
    const headers = { 'idempotency-key': `amount-${name}` };
    const first = await sell({ price: 12.5 }, headers);
    const again = await sell({ price: '12.50' }, headers);
    expect(again.body.data.purchase.id).toBe(first.body.data.purchase.id);
    expect((await sell({ price: '12.51' }, headers)).body.code).toBe('idempotency_conflict');
  });

  it('a free item is published, listed and sold with the price 0', async () => {
    const created = await client().send('POST', '/items', { kind: 'image', name: 'Free', media });
    const { id } = created.body.data.item;
    expect((await client().send('POST', `/items/${id}/publish`)).status).toBe(200);
    const listed = await given.app.inject({
      url: `/api/items/item?item_id=${id}`,
      headers: { 'x-api-key': key },
    });
    expect(listed.json().item.price).toEqual({ regular: 0, extended: 0 });
    for (const license_type of ['Regular', 'Extended']) {
      const sold = await sell({ item_id: id, license_type });
      const { purchase_code: code, price } = sold.body.data.purchase;
      expect(price).toBe(0);
      const valid = (await validate(given, json({ api_key: key, purchase_code: code }))).json();
      expect(valid.data.purchase).toMatchObject({ price: 0, license_type });
    }
  });

  it('a sale with an Extended licence needs a price if the item has no extended price', async () => {
    const item = { kind: 'image', name: 'Regular only', media, price: { regular: 5 } };
    const { id } = (await client().send('POST', '/items', item)).body.data.item;
    const published = await client().send('POST', `/items/${id}/publish`);
    expect(published.body.data.item.price).toEqual({ regular: 5, extended: 0 });
    const refused = await sell({ item_id: id, license_type: 'Extended' });
    expect(refused.body.errors).toEqual({ price: [expect.stringContaining('no extended price')] });
    const sold = await sell({ item_id: id, license_type: 'Extended', price: 0 });
    expect(sold.body.data.purchase.price).toBe(0);
  });

  it('a sale without an end of support gets the default support of a new workspace: 6 months', async () => {
    const until = async (body: object) => (await sell(body)).body.data.purchase.supported_until as string;
    expect(await until({})).toBe('2026-11-04T10:00:00Z');
    expect(await until({ date: '2025-08-31T08:00:00Z' })).toBe('2026-02-28T08:00:00Z');
    expect(await until({ supported_until: '2030-01-01' })).toBe('2030-01-01T00:00:00Z');
    expect(await until({ supported_until: '' })).toBe('');
    expect((await sell({ supported_until: 'soon' })).status).toBe(400);
  });
});

describe('the default length of support in a workspace', () => {
  const panel = () => clients[1] as TestClient;
  const set = (body: object) => panel().send('PATCH', '', body);
  const until = async () =>
    (await panel().send('POST', '/purchases', { item_id: Number(itemId) })).body.data.purchase
      .supported_until;

  it('the default length of support in a workspace can be set from 0 to 120 months', async () => {
    expect((await panel().send('GET', '')).body.data.workspace.support_months).toBe(6);
    expect((await set({ support_months: 12 })).body.data.workspace.support_months).toBe(12);
    expect(await until()).toBe('2027-05-04T10:00:00Z');
    await set({ support_months: 0 });
    expect(await until()).toBe('');
    for (const support_months of [-1, 121, 1.5, '6']) {
      expect((await set({ support_months })).status).toBe(400);
    }
    const { rows } = await given.db.query<{ details: object }>(
      `select details from audit_log where action = 'workspace_changed' order by id`,
    );
    expect(rows[0]?.details).toEqual({ support_months: { from: 6, to: 12 } });
  });

  it('the default length of support does not apply while support is switched off', async () => {
    await set({ support_months: 6, support_enabled: false });
    expect(await until()).toBe('');
    await set({ support_enabled: true });
    expect(await until()).toBe('2026-11-04T10:00:00Z');
  });
});
