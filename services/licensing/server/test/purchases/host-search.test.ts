// GET …/purchases?host=…: finds the purchases that are or were in use on a host.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { bothClients, keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let clients: TestClient[];
let plugIn: TestClient;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  clients = await bothClients(given, workspaceId);
  plugIn = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
});
afterAll(() => given.close());

const activate = async (code: string, target: object, by = plugIn) => {
  const { status } = await by.send('POST', '/activations', { purchase_code: code, ...target });
  expect(status).toBe(200);
};

async function search(client: TestClient, query: string): Promise<number[]> {
  const { status, body } = await client.send('GET', `/purchases?${query}`);
  expect(status).toBe(200);
  return body.data.purchases.map((each: { id: number }) => each.id);
}

it('a search by host finds its purchases, newest first, however the host is spelled', async () => {
  const one = await given.purchase(workspaceId, itemId);
  const two = await given.purchase(workspaceId, itemId);
  const other = await given.purchase(workspaceId, itemId);
  for (const { code } of [one, two]) await activate(code, { domain: 'found.example' });
  await activate(other.code, { domain: 'sub.found.example' });
  const both = [Number(two.id), Number(one.id)];
  for (const client of clients) {
    for (const host of ['found.example', 'https://www.Found.example:8443/a?b', 'FOUND.EXAMPLE.'])
      expect(await search(client, `host=${encodeURIComponent(host)}`), host).toEqual(both);
    expect(await search(client, 'host=example')).toEqual([]);
    expect(await search(client, 'host=found.example&state=refunded')).toEqual([]);
    expect(await search(client, `host=found.example&item_id=${itemId}`)).toEqual(both);
    const first = await client.send('GET', '/purchases?host=found.example&limit=1');
    expect(first.body.data.purchases).toMatchObject([{ id: both[0] }]);
    const cursor = first.body.data.next_cursor;
    expect(await search(client, `host=found.example&limit=1&cursor=${cursor}`)).toEqual([both[1]]);
  }
});

it('a search finds released hosts, but neither machine ids nor the hosts of erased buyers', async () => {
  const [key] = clients as [TestClient];
  const moved = await given.purchase(workspaceId, itemId);
  const host = { domain: 'moved.example' };
  await activate(moved.code, host);
  await plugIn.send('POST', '/activations/release', { purchase_code: moved.code, ...host });
  expect(await search(key, 'host=moved.example')).toEqual([Number(moved.id)]);
  const machine = await given.purchase(workspaceId, itemId);
  await activate(machine.code, { machine_id: 'machine.example' });
  expect(await search(key, 'host=machine.example')).toEqual([]);
  const buyerEmail = 'ada@buyer.example';
  const erased = await given.purchase(workspaceId, itemId, { buyerEmail });
  await activate(erased.code, { domain: 'erased.example' });
  expect(await search(key, 'host=erased.example')).toEqual([Number(erased.id)]);
  expect((await key.send('POST', '/buyers/erase', { email: buyerEmail })).status).toBe(200);
  expect(await search(key, 'host=erased.example')).toEqual([]);
});

it('a search by host finds no purchase of another workspace', async () => {
  const foreign = await given.workspace();
  const sale = await given.purchase(foreign, await given.item(foreign));
  const theirs = keyClient(given, await given.apiKey(foreign, { scopes: allScopes }));
  await activate(sale.code, { domain: 'theirs.example' }, theirs);
  expect(await search(theirs, 'host=theirs.example')).toEqual([Number(sale.id)]);
  for (const client of clients) expect(await search(client, 'host=theirs.example')).toEqual([]);
});

it.each(['', '%20', 'https%3A%2F%2F', 'a%20b', 'a%00b', 'null', 'a'.repeat(2049)])(
  'a text that is no host is refused with 400: "%.20s"',
  async (host) => {
    for (const client of clients) {
      const { status, body } = await client.send('GET', `/purchases?host=${host}`);
      expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 'invalid_parameter', ['host']]);
    }
  },
);
