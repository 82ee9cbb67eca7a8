// Activations in the seller's view: their list, their limits, releases by the seller, and the erasure of a
// buyer.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { auditActions, bothClients, keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let key: TestClient;
let panel: TestClient;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  key = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  panel = (await bothClients(given, workspaceId))[1] as TestClient;
});
afterAll(() => given.close());

const activate = (code: string, domain: string) =>
  key.send('POST', '/activations', { purchase_code: code, domain });
const setLimits = (body: object) => key.send('PUT', '/activation-limits', body);

it('the activations of a purchase are found by its id or by its code in a header, newest first', async () => {
  const one = await given.purchase(workspaceId, itemId);
  const two = await given.purchase(workspaceId, itemId);
  for (const host of ['a.local', 'b.local', 'c.example']) await activate(one.code, host);
  await activate(two.code, 'd.example');
  const targets = (body: { data: { activations: { target: string }[] } }) =>
    body.data.activations.map((each) => each.target);
  for (const client of [key, panel]) {
    const first = await client.send('GET', `/activations?purchase_id=${one.id}&limit=2`);
    expect(targets(first.body)).toEqual(['c.example', 'b.local']);
    const { next_cursor: next } = first.body.data;
    const query = `?purchase_id=${one.id}&limit=2&cursor=${next}`;
    const second = await client.send('GET', `/activations${query}`);
    expect(targets(second.body)).toEqual(['a.local']);
    expect(second.body.data.next_cursor).toBeUndefined();
    const coded = await client.send('GET', '/activations', undefined, {
      'x-purchase-code': ` ${two.code.toUpperCase()} `,
    });
    expect(coded.body.data.activations).toMatchObject([
      { target: 'd.example', purchase_id: Number(two.id), item_id: Number(itemId) },
    ]);
    const open = await client.send('GET', `/activations?purchase_code=${two.code}`);
    expect([open.status, open.body.errors]).toEqual([
      400,
      { purchase_code: ['must be sent in the header X-Purchase-Code, never in a URL.'] },
    ]);
  }
});

it('activations of another workspace can be neither listed nor released', async () => {
  const foreign = await given.workspace();
  const sale = await given.purchase(foreign, await given.item(foreign));
  const theirs = keyClient(given, await given.apiKey(foreign, { scopes: allScopes }));
  const { body } = await theirs.send('POST', '/activations', {
    purchase_code: sale.code,
    domain: 'theirs.example',
  });
  const { id } = body.data.activation;
  const listed = await key.send('GET', `/activations?purchase_id=${sale.id}`);
  expect(listed.body.data.activations).toEqual([]);
  const coded = await key.send('GET', '/activations', undefined, { 'x-purchase-code': sale.code });
  expect(coded.body.code).toBe('purchase_not_found');
  const release = (each: number) => panel.send('POST', `/activations/${each}/release`);
  const [known, unknown] = [await release(id), await release(999_999_999)];
  expect([known.status, known.body.code]).toEqual([404, 'activation_not_found']);
  expect(unknown.body.code).toBe(known.body.code);
});

it('a seat that the seller releases is free at once, and the release does not count as a move', async () => {
  const { code, id } = await given.purchase(workspaceId, itemId);
  for (let n = 0; n < 6; n++) {
    const { body } = await activate(code, `h${n}.example`);
    expect(body.data?.used).toBe(1);
    const released = await panel.send('POST', `/activations/${body.data.activation.id}/release`);
    expect(released.body.data.activation).toMatchObject({
      state: 'released',
      purchase_id: Number(id),
    });
  }
});

it("the limit of an item overrides the workspace's limit, which overrides the default limit", async () => {
  const other = await given.item(workspaceId);
  const read = async (query = '') => (await panel.send('GET', `/activation-limits${query}`)).body;
  expect((await read()).data).toEqual({
    set: {},
    in_force: { regular: 1, extended: 5, moves: 3 },
  });
  await setLimits({ regular: 3, moves: 0 });
  const own = await setLimits({ item_id: Number(other), regular: 0, extended: 9 });
  expect(own.body.data).toEqual({
    set: { regular: 0, extended: 9 },
    in_force: { regular: 0, extended: 9, moves: 0 },
  });
  expect((await read(`?item_id=${itemId}`)).data.in_force).toEqual({
    regular: 3,
    extended: 5,
    moves: 0,
  });
  await setLimits({ regular: 3, moves: 0 });
  const changes = (await auditActions(given, workspaceId)).filter((each) => /limits/.test(each));
  expect(changes).toHaveLength(2);
  const { code } = await given.purchase(workspaceId, itemId);
  const outcomes = [];
  for (const host of ['a', 'b', 'c', 'd']) outcomes.push((await activate(code, `${host}.example`)).body.code);
  expect(outcomes).toEqual([undefined, undefined, undefined, 'activation_limit_reached']);
  await key.send('POST', '/activations/release', { purchase_code: code, domain: 'a.example' });
  expect((await activate(code, 'd.example')).body.code).toBe('activation_moves_exhausted');
  const foreign = await given.item(await given.workspace());
  const refusals = [
    await setLimits({ item_id: Number(foreign), regular: 1 }),
    await key.send('GET', `/activation-limits?item_id=${foreign}`),
  ];
  for (const { body } of refusals) expect(body.code).toBe('item_not_found');
  for (const wrong of [{ regular: -1 }, { moves: 101 }, { extended: 1.5 }, { regular: '1' }])
    expect((await setLimits(wrong)).body.code).toBe('invalid_parameter');
  await setLimits({});
});

it('after the erasure of a buyer, the activations have no host names but keep their seats', async () => {
  const buyer = { buyerName: 'Eve Doe', buyerEmail: 'eve@doe.example' };
  const { code, id } = await given.purchase(workspaceId, itemId, buyer);
  await activate(code, 'evedoe.example');
  await panel.send('POST', '/buyers/erase', { email: 'eve@doe.example' });
  const stored = async () => {
    const { rows } = await given.db.query('select * from activations where purchase_id = $1', [id]);
    return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
  };
  expect(await stored()).not.toContain('evedoe');
  const again = await activate(code, 'evedoe.example');
  expect(again.body.data).toMatchObject({ created: false, activation: { target: '' } });
  expect((await activate(code, 'other.example')).body.code).toBe('activation_limit_reached');
  const released = { purchase_code: code, domain: 'evedoe.example' };
  await key.send('POST', '/activations/release', released);
  await activate(code, 'evedoe.example');
  expect(await stored()).not.toContain('evedoe');
});

it('an erasure by purchase id erases the host names even if the purchase has no buyer data', async () => {
  const { code, id } = await given.purchase(workspaceId, itemId);
  await activate(code, 'nameless.example');
  await panel.send('POST', '/buyers/erase', { purchase_id: Number(id) });
  const { body } = await key.send('GET', `/activations?purchase_id=${id}`);
  expect(body.data.activations).toMatchObject([{ target: '', state: 'active' }]);
});
