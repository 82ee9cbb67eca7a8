// POST /api/v1/activations and …/release: each host occupies one seat, and the licence limits the number of
// seats.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { auditActions, keyClient, type TestClient, withoutRequestId } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const day = 86_400_000;
let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let client: TestClient;
let plugIn: TestClient;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  client = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  const publishable = { kind: 'publishable', scopes: ['purchases:validate'], itemId } as const;
  plugIn = keyClient(given, await given.apiKey(workspaceId, publishable));
});
afterAll(() => given.close());

let code: string;
let purchaseId: bigint;
beforeEach(async () => {
  ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId));
});

const activate = (domain: string, by = plugIn, more: object = {}) =>
  by.send('POST', '/activations', { purchase_code: code, domain, ...more });
const release = (domain: string, by = plugIn) =>
  by.send('POST', '/activations/release', { purchase_code: code, domain });
const outcome = ({ status, body }: Awaited<ReturnType<typeof activate>>) =>
  status === 200 ? body.data.activation.state : body.code;

describe('the host of an activation', () => {
  it('activations of one host occupy one seat, however the host name is spelled', async () => {
    const first = await activate('https://www.Shop.Example:8443/path');
    expect(first.body.data).toMatchObject({
      created: true,
      limit: 1,
      used: 1,
      activation: { kind: 'domain', target: 'shop.example', counts: true, state: 'active' },
    });
    for (const spelling of ['shop.example.', 'SHOP.example', '//shop.example/?x']) {
      const again = await activate(spelling);
      expect(again.status).toBe(200);
      expect(again.body.data).toEqual({ ...first.body.data, created: false });
    }
  });

  it('a local host, a private host and a staging host occupy no seat', async () => {
    const hosts = ['localhost:3000', '10.0.0.7', 'shop.test', 'staging.shop.example', '[::1]'];
    for (const host of hosts) {
      const { body } = await activate(host);
      expect([body.data.created, body.data.activation.counts, body.data.used]).toEqual([true, false, 0]);
    }
    expect(outcome(await activate('shop.example'))).toBe('active');
  });

  it('a machine id may be sent instead of a host, and its letter case matters', async () => {
    const machine = (id: string) =>
      plugIn.send('POST', '/activations', { purchase_code: code, machine_id: id });
    const { body } = await machine(' AB-12 ');
    expect(body.data.activation).toMatchObject({ kind: 'machine', target: 'AB-12', counts: true });
    expect((await machine('ab-12')).body.code).toBe('activation_limit_reached');
  });

  it.each([
    ['a request without a host or machine', {}],
    ['a request with a host and a machine', { domain: 'a.example', machine_id: 'x' }],
    ['a URL without a host', { domain: 'https://' }],
    ['a blank machine id', { machine_id: ' ' }],
    ['a number as the host', { domain: 5 }],
    ['an item id of 0', { domain: 'a.example', item_id: 0 }],
  ])('an activation is refused with 400: %s', async (_title, body) => {
    const answer = await plugIn.send('POST', '/activations', { purchase_code: code, ...body });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('a host without a seat is deleted once the purchase has 100 newer hosts without a seat', async () => {
    await given.db.query(
      `insert into activations (workspace_id, purchase_id, target_hash, target_kind, target, counts,
         created_at, last_seen_at)
       select $1, $2, sha256(n::text::bytea), 'domain', 'h' || n || '.local', false, $3,
         $3::timestamptz - n * interval '1 second' from generate_series(1, 102) as n`,
      [workspaceId, purchaseId, given.clock.now],
    );
    await activate('h0.local');
    const { rows } = await given.db.query(
      'select target from activations where purchase_id = $1 order by last_seen_at',
      [purchaseId],
    );
    expect([rows.length, rows[0]?.target]).toEqual([100, 'h99.local']);
  });
});

describe('the seat limit of a licence', () => {
  it('a new host is refused when all seats are in use, and the error contains the limit', async () => {
    await activate('a.example');
    const refused = await activate('b.example');
    expect([refused.status, refused.body.code]).toEqual([409, 'activation_limit_reached']);
    expect(refused.body.data).toEqual({ limit: 1, used: 1 });
    expect(refused.text).not.toContain('a.example');
  });

  it('an extended licence has five seats, and a sixth host is refused', async () => {
    ({ code } = await given.purchase(workspaceId, itemId, { licenseType: 'Extended' }));
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.example`);
    const outcomes = [];
    for (const host of hosts) outcomes.push(outcome(await activate(host)));
    expect(outcomes).toEqual([...Array(5).fill('active'), 'activation_limit_reached']);
  });

  it('if 40 hosts send requests concurrently, exactly five of them occupy the five seats', async () => {
    ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId, {
      licenseType: 'Extended',
    }));
    // 40 different hosts send 50 requests: ten hosts send the request twice.
    const hosts = Array.from({ length: 50 }, (_, n) => `h${n % 40}.example`);
    const outcomes = await Promise.all(hosts.map((host) => activate(host)));
    const ids = outcomes.flatMap(({ body }) => body.data?.activation?.id ?? []);
    expect(new Set(ids).size).toBe(5);
    const { rows } = await given.db.query(
      'select 1 from activations where purchase_id = $1 and counts and released_at is null',
      [purchaseId],
    );
    expect(rows).toHaveLength(5);
    const refused = outcomes.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(outcome))).toEqual(new Set(['activation_limit_reached']));
    expect(refused.length).toBeGreaterThanOrEqual(35);
  });
});

describe('a move of a purchase to another host', () => {
  it('a new host on a released seat counts as a move, but a host that returns does not', async () => {
    const first = await activate('a.example');
    const released = await release('www.A.example');
    expect(released.body.data.activation).toMatchObject({ state: 'released' });
    expect(outcome(await release('a.example'))).toBe('released');
    expect((await activate('a.example')).body.data).toEqual(first.body.data);
    const outcomes = [];
    for (const host of ['b', 'c', 'd', 'e']) {
      const last = outcomes.length === 0 ? 'a' : String.fromCharCode(97 + outcomes.length);
      await release(`${last}.example`);
      outcomes.push(outcome(await activate(`${host}.example`)));
    }
    expect(outcomes).toEqual(['active', 'active', 'active', 'activation_moves_exhausted']);
    const refused = await activate('e.example');
    expect(refused.body.data).toMatchObject({ limit: 1, used: 0, moves: 3 });
    expect(Date.parse(refused.body.data.free_at)).toBe(given.clock.now.getTime() + 30 * day);
    expect(outcome(await activate('b.example'))).toBe('active');
    await release('b.example');
    given.clock.now = new Date(given.clock.now.getTime() + 30 * day);
    expect(outcome(await activate('e.example'))).toBe('active');
  });

  it('a release by activation id needs the code of the same purchase', async () => {
    const { body } = await activate('a.example');
    const other = await given.purchase(workspaceId, itemId);
    const by = (purchase_code: string) =>
      plugIn.send('POST', '/activations/release', {
        purchase_code,
        activation_id: body.data.activation.id,
      });
    expect((await by(other.code)).body.code).toBe('activation_not_found');
    expect((await release('never.example')).body.code).toBe('activation_not_found');
    expect(outcome(await by(code))).toBe('released');
  });
});

describe('the permission to activate', () => {
  it('a refunded purchase cannot be activated, and its existing activations end', async () => {
    await activate('a.example');
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    expect((await activate('a.example')).body.code).toBe('purchase_refunded');
    const listed = await client.send('GET', `/activations?purchase_id=${purchaseId}`);
    expect(listed.body.data.activations).toMatchObject([{ target: 'a.example', state: 'ended' }]);
  });

  it('with a publishable key, a code of another item is refused like an unknown code', async () => {
    const other = await given.purchase(workspaceId, await given.item(workspaceId));
    const foreign = await given.workspace();
    const theirs = await given.purchase(foreign, await given.item(foreign));
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const path of ['/activations', '/activations/release']) {
      const ask = (purchase_code: string) =>
        plugIn.send('POST', path, { purchase_code, domain: 'a.example' });
      const never = await ask(unknown);
      expect([never.status, never.body.code]).toEqual([404, 'purchase_not_found']);
      for (const each of [other, theirs])
        expect(withoutRequestId(await ask(each.code))).toBe(withoutRequestId(never));
    }
    const wrongItem = await activate('a.example', client, { item_id: Number(itemId) + 1 });
    expect(wrongItem.body.code).toBe('purchase_not_found');
  });

  it("activating needs a seller's key with the activation scope; listing needs a secret key", async () => {
    const reader = keyClient(given, await given.apiKey(workspaceId));
    expect((await activate('a.example', reader)).body.code).toBe('insufficient_scope');
    expect((await plugIn.send('GET', '/activations')).body.code).toBe('insufficient_scope');
    const idle = await given.workspace({
      account: { email: 'a@b.example', currency: 'USD', isSeller: false },
    });
    const key = keyClient(given, await given.apiKey(idle, { scopes: allScopes }));
    expect((await activate('a.example', key)).body.code).toBe('not_a_seller');
  });

  it('each occupied or released seat leaves an audit line without the host name', async () => {
    const before = (await auditActions(given, workspaceId)).length;
    await activate('named.example');
    await activate('named.example');
    await activate('localhost');
    await release('named.example');
    const { rows } = await given.db.query<{ action: string; line: string }>(
      'select action, a::text as line from audit_log a where workspace_id = $1 order by id',
      [workspaceId],
    );
    const lines = rows.filter(({ line }) => line.includes(`,purchase,${purchaseId},`));
    expect(lines.map(({ action }) => action)).toEqual([
      'purchase_issued',
      'purchase_activated',
      'activation_released',
    ]);
    expect(before).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('named.example');
    expect(given.logLines.join('')).not.toContain(code);
  });
});
