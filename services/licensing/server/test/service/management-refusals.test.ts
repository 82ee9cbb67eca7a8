// The management API refuses unsupported input instead of ignoring it, and unusual input does not break the
// API.
import { beforeAll, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();
let itemId: number;
let client: TestClient;

beforeAll(async () => {
  const workspaceId = await given.workspace();
  itemId = Number(await given.item(workspaceId));
  client = (await bothClients(given, workspaceId))[0] as TestClient;
});

const count = async (table: 'items' | 'purchases') => (await given.db.query(`select from ${table}`)).rowCount;

it.each([
  ['state', 'refunded'],
  ['state', 'active'],
  ['downloaded', true],
])('a sale with the field %s (%s) is refused, because the field is not supported', async (field, value) => {
  const before = await count('purchases');
  const answer = await client.send('POST', '/purchases', { item_id: itemId, [field]: value });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'invalid_parameter', errors: { [field]: [expect.any(String)] } },
  });
  expect(await count('purchases')).toBe(before);
});

it.each([
  ['state', 'published'],
  ['published_at', '2024-01-01T00:00:00Z'],
])('the creation of an item is refused if the request has the field %s', async (field, value) => {
  const before = await count('items');
  const answer = await client.send('POST', '/items', { kind: 'image', name: 'X', [field]: value });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'invalid_parameter', errors: { [field]: [expect.any(String)] } },
  });
  expect(await count('items')).toBe(before);
});

it.each(['tags', 'options'])('an item with a blank text in its %s is refused', async (field) => {
  const body = { kind: 'image', name: 'X', [field]: ['a', ' \u00a0'] };
  const refused = {
    status: 400,
    body: { errors: { [field]: ['must not contain a blank text.'] } },
  };
  expect(await client.send('POST', '/items', body)).toMatchObject(refused);
  const changes = { [field]: [' '] };
  expect(await client.send('PATCH', `/items/${itemId}`, changes)).toMatchObject(refused);
});

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

it('the error for a sale names every unknown field, also nested fields', async () => {
  const buyer = `{"name":"Bo","more":${nested(10_000)}}`;
  const sale = Buffer.from(`{"item_id":${itemId},"x":${nested(20_000)},"buyer":${buyer}}`);
  const headers = { 'idempotency-key': 'deep', 'content-type': 'application/json' };
  const refused = await client.send('POST', '/purchases', sale, headers);
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter']);
  expect(Object.keys(refused.body.errors).sort()).toEqual(['buyer.more', 'x']);
  const known = { item_id: itemId, buyer: { name: 'Bo' } };
  const sold = await client.send('POST', '/purchases', known, { 'idempotency-key': 'deep' });
  expect(sold.status).toBe(200);
  const again = await client.send('POST', '/purchases', known, { 'idempotency-key': 'deep' });
  expect(again.body.data).toEqual(sold.body.data);
  const other = { item_id: itemId, buyer: { name: 'Ek' } };
  const differing = await client.send('POST', '/purchases', other, { 'idempotency-key': 'deep' });
  expect(differing.body.code).toBe('idempotency_conflict');
});

it.each(['[{"dry_run":true}]', '"dry_run"', 'null'])(
  'a dispute with the body %s is refused, because a body must be an object',
  async (text) => {
    const sold = await client.send('POST', '/purchases', { item_id: itemId });
    const path = `/purchases/${sold.body.data.purchase.id}/dispute`;
    const headers = { 'content-type': 'application/json' };
    expect(await client.send('POST', path, Buffer.from(text), headers)).toMatchObject({
      status: 400,
      body: { code: 'invalid_body', errors: { body: ['must be a JSON object.'] } },
    });
    expect((await client.send('POST', path, Buffer.from(''), headers)).status).toBe(200);
  },
);

it('the error for a sale names an unknown field called __proto__', async () => {
  const sale = Buffer.from(`{"item_id":${itemId},"__proto__":{"dry_run":true}}`);
  const headers = { 'content-type': 'application/json' };
  const refused = await client.send('POST', '/purchases', sale, headers);
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter']);
  expect(Object.entries(refused.body.errors)).toEqual([['__proto__', ['is not a field of this request.']]]);
});
