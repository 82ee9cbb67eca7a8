// Events of activations: one for each seat that is occupied or released, and a bounded number for refusals.
import { openReceiver } from '@counterfoil/webhooks/testing/webhook-receiver';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let client: TestClient;
let code: string;
let purchaseId: bigint;

beforeAll(async () => {
  given = await givenLicensing({ WEBHOOK_LOCAL_ADDRESSES: 'on' });
});
afterAll(() => given.close());

beforeEach(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId));
});

const activate = (domain: string) => client.send('POST', '/activations', { purchase_code: code, domain });
const release = (domain: string) =>
  client.send('POST', '/activations/release', { purchase_code: code, domain });
const pass = (ms: number) => {
  given.clock.now = new Date(given.clock.now.getTime() + ms);
};

interface StoredEvent {
  readonly type: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

/** The events of activations, oldest first. */
async function listEvents(): Promise<StoredEvent[]> {
  const { rows } = await given.db.query<StoredEvent>(
    `select type, subject, data from webhook_events
     where workspace_id = $1 and type like 'activation.%' order by sequence`,
    [workspaceId],
  );
  return rows;
}

it('an activation and its release each send one event, and a repeated call sends none', async () => {
  const { body } = await activate('shop.example');
  await activate('www.shop.example');
  await release('shop.example');
  await release('shop.example');
  const events = await listEvents();
  const data = {
    activation_id: body.data.activation.id,
    purchase_id: Number(purchaseId),
    item_id: Number(itemId),
    kind: 'domain',
  };
  const subject = `purchase:${purchaseId}`;
  expect(events).toEqual([
    { type: 'activation.created', subject, data: { ...data, state: 'active' } },
    { type: 'activation.released', subject, data: { ...data, state: 'released' } },
  ]);
  expect(JSON.stringify(events)).not.toContain('shop');
});

it('a host that needs no seat sends no event', async () => {
  await activate('staging.shop.example');
  await release('staging.shop.example');
  expect(await listEvents()).toEqual([]);
});

it('a release by the seller and the activation through an offline licence send events too', async () => {
  const host = { purchase_code: code, domain: 'shop.example' };
  expect((await client.send('POST', '/licences', host)).status).toBe(200);
  const { body } = await client.send('GET', `/activations?purchase_id=${purchaseId}`);
  const panel = await givenSignedIn(given, workspaceId);
  const released = await panel.post(`${panel.base}/activations/${body.data.activations[0].id}/release`);
  expect(released.status).toBe(200);
  expect((await listEvents()).map(({ type }) => type)).toEqual(['activation.created', 'activation.released']);
});

it('a refused host sends an event with the reason, at most once a day', async () => {
  await activate('a.example');
  for (let n = 0; n < 3; n++) expect((await activate('b.example')).status).toBe(409);
  const refusals = async () => (await listEvents()).filter(({ type }) => type === 'activation.refused');
  const data = {
    purchase_id: Number(purchaseId),
    item_id: Number(itemId),
    kind: 'domain',
    used: 1,
    limit: 1,
  };
  expect(await refusals()).toEqual([
    {
      type: 'activation.refused',
      subject: `purchase:${purchaseId}`,
      data: { ...data, reason: 'activation_limit_reached' },
    },
  ]);
  await activate('c.example');
  pass(dayMs - 1);
  await activate('b.example');
  expect(await refusals()).toHaveLength(2);
  pass(1);
  await activate('b.example');
  expect(await refusals()).toHaveLength(3);
});

it('if a host is refused because no moves are left, the event names this reason', async () => {
  for (const host of ['a', 'b', 'c', 'd']) {
    await activate(`${host}.example`);
    await release(`${host}.example`);
  }
  const refused = await activate('e.example');
  expect(refused.body.code).toBe('activation_moves_exhausted');
  expect((await listEvents()).at(-1)?.data).toMatchObject({ reason: 'activation_moves_exhausted', used: 0 });
});

it('at most 100 refused hosts are stored per purchase, for 30 days each; more send no event', async () => {
  await activate('a.example');
  const stored = async () => {
    const { rows } = await given.db.query<{ count: number }>(
      'select count(*)::int as count from activation_refusals where workspace_id = $1',
      [workspaceId],
    );
    return rows[0]?.count;
  };
  await given.db.query(
    `insert into activation_refusals (workspace_id, purchase_id, target_hash, refused_at)
     select $1, $2, sha256(n::text::bytea), $3 from generate_series(1, 100) as n`,
    [workspaceId, purchaseId, given.clock.now],
  );
  expect((await activate('b.example')).body.code).toBe('activation_limit_reached');
  expect(await stored()).toBe(100);
  expect((await listEvents()).map(({ type }) => type)).toEqual(['activation.created']);
  pass(30 * dayMs);
  expect((await activate('b.example')).body.code).toBe('activation_limit_reached');
  expect(await stored()).toBe(1);
  expect((await listEvents()).map(({ type }) => type)).toEqual(['activation.created', 'activation.refused']);
});

it('an endpoint can subscribe to the events of activations', async () => {
  const owner = await givenSignedIn(given, workspaceId);
  const receiver = await openReceiver();
  const events = ['activation.created', 'activation.released', 'activation.refused'];
  const made = await owner.post(`${owner.base}/webhooks`, { url: receiver.url, events });
  expect(made.status, made.text).toBe(200);
  expect(made.body.data.endpoint.events).toEqual(events);
  await receiver.close();
});
