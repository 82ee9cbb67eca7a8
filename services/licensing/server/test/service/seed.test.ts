// The API serves the demo's data as the demo's credentials describe it.
import { findDemoCredentials } from '@counterfoil/kit/postgres/service-facts';
import { beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../src/demo/seed.ts';
import { keyClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';

interface DemoWorkspace {
  name: string;
  email: string;
  password: string;
  api_key: string;
  publishable_key: string | null;
  revoked_key: string | null;
  expired_key: string | null;
  items: { id: number; kind: string; published: boolean }[];
  purchases: { purchase_code: string; item_id: number; state: string; supported: boolean }[];
}

const given = setUpLicensing();
let workspaces: DemoWorkspace[];

beforeAll(async () => {
  given.clock.now = new Date();
  await seedDemo(given.db, given.config);
  const credentials = await findDemoCredentials(given.db, given.config.masterKey);
  workspaces = (credentials as { workspaces: DemoWorkspace[] }).workspaces;
});

const validate = async (key: string, code: string) => {
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/purchases/validation',
    headers: { 'x-api-key': key },
    payload: { purchase_code: code },
  });
  return answer.json();
};

it('a second run of the seed creates no further workspaces', async () => {
  await seedDemo(given.db, given.config);
  const { rows } = await given.db.query<{ n: bigint }>('select count(*) as n from workspaces');
  expect(rows[0]?.n).toBe(5n);
});

it('workspaces 1 and 2 each have all kinds of items, and one unpublished item', async () => {
  for (const { items, api_key } of workspaces.slice(0, 2)) {
    expect(new Set(items.map((item) => item.kind))).toEqual(new Set(['image', 'video', 'audio']));
    expect(items.filter((item) => !item.published)).toHaveLength(1);
    const all = await given.app.inject({
      url: '/api/items/all',
      headers: { 'x-api-key': api_key },
    });
    const shown = all.json().items as { id: number; media: { screenshots?: string[] } }[];
    expect(shown.map((item) => item.id).sort()).toEqual(
      items
        .filter((item) => item.published)
        .map((item) => item.id)
        .sort(),
    );
    expect(new Set(shown.map((item) => item.media.screenshots !== undefined)).size).toBe(2);
  }
});

it('a validation of a demo code gives the state and support of its purchase', async () => {
  for (const { api_key, publishable_key, purchases, items } of workspaces.slice(0, 3)) {
    for (const { purchase_code, item_id, state, supported } of purchases) {
      const answer = await validate(api_key, purchase_code);
      if (state === 'active') {
        expect(answer.data.purchase.item.id).toBe(item_id);
        expect('supported_until' in answer.data.purchase).toBe(supported);
      } else expect(answer.code).toBe(`purchase_${state}`);
      const bound = await validate(publishable_key ?? '', purchase_code);
      if (item_id !== items[0]?.id) expect(bound.code).toBe('purchase_not_found');
      else if (state === 'active') expect(bound.status).toBe('success');
    }
    const states = new Set(purchases.map((purchase) => purchase.state));
    expect(states).toEqual(new Set(['active', 'refunded', 'cancelled', 'disputed']));
  }
});

it('workspace 3 has one item, workspace 4 has no item, and workspace 5 may not sell', async () => {
  const [, , three, four, five] = workspaces as [
    DemoWorkspace,
    DemoWorkspace,
    DemoWorkspace,
    DemoWorkspace,
    DemoWorkspace,
  ];
  expect(three.items).toHaveLength(1);
  expect([four.items, four.purchases, four.publishable_key]).toEqual([[], [], null]);
  expect((await validate(five.api_key, 'x')).code).toBe('not_a_seller');
});

it('only the first workspace of the demo has an expired key and a revoked key', async () => {
  const one = workspaces[0] as DemoWorkspace;
  expect((await validate(one.revoked_key ?? '', 'x')).code).toBe('api_key_revoked');
  expect((await validate(one.expired_key ?? '', 'x')).code).toBe('api_key_expired');
  expect(workspaces.slice(1).map((each) => [each.revoked_key, each.expired_key])).toEqual(
    Array(4).fill([null, null]),
  );
});

it('a buyer of the first demo item can download its file', async () => {
  const [{ api_key, items, purchases }] = workspaces as [DemoWorkspace];
  const client = keyClient(given, api_key);
  const active = purchases.find((each) => each.item_id === items[0]?.id && each.state === 'active');
  const found = await client.send('GET', `/purchases?purchase_code=${active?.purchase_code}`);
  const link = await client.send('POST', `/purchases/${found.body.data.purchases[0].id}/download-links`);
  const file = await given.app.inject({ url: new URL(link.body.data.url).pathname });
  expect(file.statusCode).toBe(200);
  expect(file.headers['content-disposition']).toContain('journal-2.0.3.txt');
});
