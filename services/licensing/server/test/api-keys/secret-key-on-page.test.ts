// A secret key that a web page sends still works. The key list, the request log and /metrics flag it.
import { eventually } from '@counterfoil/kit/testing/eventually';
import { beforeAll, expect, it } from 'vitest';
import { bothClients, type TestClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';

const given = setUpLicensing();
let workspaceId: bigint;
let itemId: bigint;
let code: string;
let panel: TestClient;
const origin = 'https://shop.example';

beforeAll(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  code = (await given.purchase(workspaceId, itemId)).code;
  panel = (await bothClients(given, workspaceId))[1] as TestClient;
});
const ask = (key: string, headers: Record<string, string> = {}) =>
  given.app.inject({
    method: 'POST',
    url: '/api/purchases/validation',
    headers: { 'x-api-key': key, ...headers },
    payload: { purchase_code: code },
  });

interface Key {
  id: number;
  name: string;
  last_used?: { at: string };
  seen_on_page?: { at: string; origin: string };
}

const findKey = async (name: string) =>
  (await panel.send('GET', '/api-keys')).body.data.api_keys.find((key: Key) => key.name === name) as Key;

const counted = async () => {
  const { body } = await given.app.inject('/metrics');
  const count = /^secret_key_page_requests_total(?:\{[^}]*\})? (\d+)/m.exec(body)?.[1];
  if (count === undefined) throw new Error('the metric is missing');
  return Number(count);
};

it('a secret key in a web page still works, and the panel shows the page’s origin and the time', async () => {
  const key = await given.apiKey(workspaceId, { name: 'In a page' });
  const before = await counted();
  const answer = await ask(key, { origin });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(await counted()).toBe(before + 1);
  await eventually(async () => {
    expect((await findKey('In a page')).seen_on_page).toEqual({
      at: '2026-05-04T10:00:00Z',
      origin,
    });
  });
  const { id } = await findKey('In a page');
  const lines = async (query: string) =>
    (await panel.send('GET', `/requests?api_key_id=${id}${query}`)).body.data.requests;
  await ask(key);
  await eventually(async () => expect(await lines('')).toHaveLength(2));
  expect((await lines('')).map((line: { page_origin?: string }) => line.page_origin)).toEqual([
    undefined,
    origin,
  ]);
  expect(await lines('&from_page=true')).toMatchObject([{ page_origin: origin, status: 200 }]);
  expect((await panel.send('GET', '/requests?from_page=no')).status).toBe(400);
});

it('the flag stays if a server uses the key later; the origin of the last page is shown', async () => {
  const key = await given.apiKey(workspaceId, { name: 'Both' });
  await ask(key, { origin: 'https://first.example' });
  await ask(key, { origin: 'https://second.example' });
  given.clock.now = new Date('2026-05-04T11:00:00.500Z');
  await ask(key);
  await eventually(async () => {
    const found = await findKey('Both');
    expect(found.last_used?.at).toBe('2026-05-04T11:00:00Z');
    expect(found.seen_on_page).toEqual({
      at: '2026-05-04T10:00:00Z',
      origin: 'https://second.example',
    });
  });
});

it('a publishable key in a page, and a secret key on a server, are not flagged', async () => {
  const before = await counted();
  const publishable = await given.apiKey(workspaceId, {
    name: 'Shipped',
    kind: 'publishable',
    scopes: ['purchases:validate'],
    itemId,
  });
  const secret = await given.apiKey(workspaceId, { name: 'Server' });
  await ask(publishable, { origin });
  await ask(secret);
  await eventually(async () => {
    for (const name of ['Shipped', 'Server']) {
      const found = await findKey(name);
      expect(found.last_used).toBeDefined();
      expect(found.seen_on_page).toBeUndefined();
    }
  });
  expect(await counted()).toBe(before);
});

it('a secret key on a page of the service itself is not flagged', async () => {
  const before = await counted();
  const key = await given.apiKey(workspaceId, { name: 'In the reference' });
  await ask(key, { origin: new URL(given.config.publicUrl).origin });
  await eventually(async () => {
    const found = await findKey('In the reference');
    expect(found.last_used).toBeDefined();
    expect(found.seen_on_page).toBeUndefined();
  });
  expect(await counted()).toBe(before);
});

it('an origin with a control character is not stored', async () => {
  const before = await counted();
  const key = await given.apiKey(workspaceId, { name: 'Unprintable' });
  await ask(key, { origin: 'https://shop\u0085.example' });
  expect(await counted()).toBe(before + 1);
  await eventually(async () => {
    const found = await findKey('Unprintable');
    expect(found.last_used).toBeDefined();
    expect(found.seen_on_page).toBeUndefined();
    const { body } = await panel.send('GET', `/requests?api_key_id=${found.id}`);
    expect(body.data.requests).toHaveLength(1);
    expect(body.data.requests[0].page_origin).toBeUndefined();
  });
});

it('an origin that is too long is stored in a shortened form', async () => {
  const key = await given.apiKey(workspaceId, { name: 'Odd' });
  await ask(key, { origin: `https://${'x'.repeat(1000)}` });
  await eventually(async () => {
    expect((await findKey('Odd')).seen_on_page?.origin).toHaveLength(270);
  });
});
