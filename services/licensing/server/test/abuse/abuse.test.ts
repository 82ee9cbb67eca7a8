// GET /panel/workspaces/{id}/abuse: purchases on many hosts, callers with many refused codes, and blocked
// purchases.
import { ensurePartitions } from '@counterfoil/kit/postgres/partitions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { openBuyerBrowser } from '../environment/buyer-browser.ts';
import { keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';
import { type Browser, givenSignedIn } from '../environment/panel-browser.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let given: Given;
let workspaceId: bigint;
let itemId: bigint;
let key: TestClient;
let panel: Browser & { base: string };

beforeAll(async () => {
  given = await givenLicensing();
  const log = { name: 'request_log', unit: 'day', keep: 30, ahead: 7 } as const;
  await ensurePartitions(given.db, log, [at(0), at(-dayMs), at(-2 * dayMs)]);
});
afterAll(() => given.close());

beforeEach(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId);
  key = keyClient(given, await given.apiKey(workspaceId, { scopes: allScopes }));
  panel = await givenSignedIn(given, workspaceId);
});

const at = (ms: number) => new Date(given.clock.now.getTime() + ms);

async function read(query = '') {
  const { status, body, text } = await panel.get(`${panel.base}/abuse${query}`);
  expect(status, text).toBe(200);
  return body.data;
}

/** Stores activations of new hosts on a purchase. */
const occupy = (purchaseId: bigint, count: number, { when = at(0), counts = true } = {}) =>
  given.db.query(
    `insert into activations (workspace_id, purchase_id, target_hash, target_kind, target, counts,
       created_at, last_seen_at)
     select $1, $2, sha256(($4::timestamptz::text || n)::bytea), 'domain', n || '.example', $5, $4, $4
     from generate_series(1, $3::int) as n`,
    [workspaceId, purchaseId, count, when, counts],
  );

/**
 * Logs failed requests of one address, each with a different purchase code, or all without a purchase code.
 */
const logFailures = (
  address: string,
  count: number,
  { when = at(-hourMs), code = 'purchase_not_found', hint = '…' } = {},
) =>
  given.db.query(
    `insert into request_log (workspace_id, at, api_key_id, request_id, address, method, route, status,
       code, duration_ms, code_hint)
     select $1, $4, 1, 'r', $2, 'POST', '/api/purchases/validation', 404, $5, 1,
       case $6 when '' then '' else $6 || n end
     from generate_series(1, $3::int) as n`,
    [workspaceId, address, count, when, code, hint],
  );

it('purchases on many hosts are listed; local or old hosts and ended purchases do not count', async () => {
  const sell = () => given.purchase(workspaceId, itemId);
  const [busy, quiet, local, old, refunded] = [
    await sell(),
    await sell(),
    await sell(),
    await sell(),
    await sell(),
  ];
  await occupy(busy.id, 12);
  await occupy(quiet.id, 9);
  await occupy(local.id, 12, { counts: false });
  await occupy(old.id, 12, { when: at(-30 * dayMs) });
  await occupy(refunded.id, 12);
  await panel.post(`${panel.base}/purchases/${refunded.id}/refund`);
  const abuse = await read();
  expect(abuse).toMatchObject({ min_hosts: 10, min_failures: 60, callers: [], blocked: [] });
  expect(abuse.purchases).toMatchObject([
    { purchase: { id: Number(busy.id) }, hosts: 12, refused_hosts: 0, last_at: '2026-05-04T10:00:00Z' },
  ]);
  const ids = (await read('?min_hosts=9')).purchases.map(
    (each: { purchase: { id: number } }) => each.purchase.id,
  );
  expect(ids).toEqual([Number(busy.id), Number(quiet.id)]);
});

it('refused hosts count as hosts of a purchase; a host that is activated later counts once', async () => {
  const { id, code } = await given.purchase(workspaceId, itemId);
  const send = (path: string, domain: string) => key.send('POST', path, { purchase_code: code, domain });
  await send('/activations', 'a.example');
  for (const host of ['b', 'c']) expect((await send('/activations', `${host}.example`)).status).toBe(409);
  expect((await read('?min_hosts=3')).purchases).toMatchObject([
    { purchase: { id: Number(id) }, hosts: 3, refused_hosts: 2 },
  ]);
  await send('/activations/release', 'a.example');
  await send('/activations', 'b.example');
  expect((await read('?min_hosts=3')).purchases).toMatchObject([{ hosts: 3, refused_hosts: 2 }]);
  expect((await read('?min_hosts=4')).purchases).toEqual([]);
});

it('many refused codes in one hour of the last day list the caller; other errors do not count', async () => {
  await logFailures('10.9.0.1', 45);
  await logFailures('10.9.0.1', 20, { when: at(-hourMs), code: 'rate_limited' });
  await logFailures('10.9.0.1', 5, { when: at(-3 * hourMs), code: 'purchase_refunded' });
  await logFailures('10.9.0.2', 59);
  await logFailures('10.9.0.3', 90, { code: 'item_not_found' });
  await logFailures('10.9.0.4', 90, { when: at(-25 * hourMs) });
  // Failed requests that name a purchase by its id contain no code.
  await logFailures('10.9.0.5', 90, { code: 'purchase_state_conflict', hint: '' });
  await logFailures('10.9.0.6', 90, { hint: '' });
  const { callers } = await read();
  expect(callers).toEqual([
    { address: '10.9.0.1', failures: 70, peak: 65, codes: 45, last_at: '2026-05-04T09:00:00Z' },
  ]);
  const more = (await read('?min_failures=59')).callers;
  expect(more.map((each: { address: string }) => each.address)).toEqual(['10.9.0.1', '10.9.0.2']);
});

describe('refused codes without an API key', () => {
  const callers = async () =>
    (await read('?min_failures=2')).callers.map(({ address, failures, codes }: Record<string, unknown>) => ({
      address,
      failures,
      codes,
    }));
  const fetchUpdates = (path: string, headers: Record<string, string>, remoteAddress: string) =>
    given.app.inject({ url: `/updates/${path}`, headers, remoteAddress });

  it('refused codes at the update server count, in every format; valid codes do not', async () => {
    const { code } = await given.purchase(workspaceId, itemId);
    const refunded = await given.purchase(workspaceId, itemId);
    await panel.post(`${panel.base}/purchases/${refunded.id}/refund`);
    const password = Buffer.from('buyer:guess of composer').toString('base64');
    const sent: [string, Record<string, string>][] = [
      [`${itemId}.json`, { 'x-purchase-code': 'guess-of-the-feed' }],
      [`${itemId}.json`, { 'x-purchase-code': 'guess-of-the-feed' }],
      [`${itemId}.json`, { 'x-purchase-code': refunded.code }],
      [`${itemId}.json`, { 'x-purchase-code': 'not a\u0001code' }],
      [`${itemId}.json`, {}],
      [`${itemId}.json`, { 'x-purchase-code': code }],
      [`wordpress/${itemId}?purchase_code=guess-of-wordpress`, {}],
      [`composer/${workspaceId}/packages.json`, { authorization: `Basic ${password}` }],
      [`composer/${workspaceId}/packages.json`, {}],
    ];
    for (const [path, headers] of sent) await fetchUpdates(path, headers, '10.8.1.1');
    await expect.poll(callers).toEqual([{ address: '10.8.1.1', failures: 5, codes: 4 }]);
    const { rows } = await given.db.query('select r::text as row from refused_codes r');
    expect(JSON.stringify(rows)).not.toContain('guess-of');
  });

  it('refused codes at the sign-in of buyers count for each seller who sold to the e-mail', async () => {
    const buyerEmail = `attacked-${workspaceId}@buyers.example`;
    const { code } = await given.purchase(workspaceId, itemId, { buyerEmail });
    const stranger = await given.workspace();
    const other = await givenSignedIn(given, stranger);
    const browser = openBuyerBrowser(given, '10.8.2.1');
    expect((await browser.signInWithCode(buyerEmail, code)).status).toBe(200);
    for (let i = 0; i < 12; i++) await browser.signInWithCode(buyerEmail, `guess of a code ${1000 + i}`);
    // The sign-in searches ten codes in 15 minutes. The two limited requests count too, but their codes are
    // not recorded.
    await expect.poll(callers).toEqual([{ address: '10.8.2.1', failures: 12, codes: 10 }]);
    const { body } = await other.get(`${other.base}/abuse?min_failures=2`);
    expect(body.data.callers).toEqual([]);
  });

  it('a refused sign-in at a seller counts for the seller, even with an unknown e-mail', async () => {
    const browser = openBuyerBrowser(given, '10.8.3.1');
    const email = `nobody-${workspaceId}@buyers.example`;
    for (const seller_id of [Number(workspaceId), 999_999]) {
      for (const purchase_code of ['guess 0001', 'guess 0002']) {
        const body = { email, purchase_code, seller_id };
        expect((await browser.post('/panel/buyers/session', body)).status).toBe(401);
      }
    }
    await expect.poll(callers).toEqual([{ address: '10.8.3.1', failures: 2, codes: 2 }]);
    const { rows } = await given.db.query('select 1 from refused_codes where workspace_id = 999999');
    expect(rows).toEqual([]);
  });

  it('refused codes of the request log and of the update server are added up for each caller', async () => {
    await logFailures('10.8.4.1', 3, { when: at(0) });
    const proof = { 'x-purchase-code': 'guess-of-the-feed' };
    for (let i = 0; i < 2; i++) await fetchUpdates(`${itemId}.json`, proof, '10.8.4.1');
    await expect.poll(callers).toEqual([{ address: '10.8.4.1', failures: 5, codes: 4 }]);
    expect((await read('?min_failures=5')).callers).toMatchObject([{ peak: 5 }]);
  });
});

it('a blocked purchase moves from the list of suspects to the list of blocked purchases', async () => {
  const { id } = await given.purchase(workspaceId, itemId);
  await occupy(id, 12);
  await panel.post(`${panel.base}/purchases/${id}/block`);
  expect(await read()).toMatchObject({ purchases: [], blocked: [{ id: Number(id) }] });
  await panel.post(`${panel.base}/purchases/${id}/unblock`);
  expect(await read()).toMatchObject({ purchases: [{ purchase: { id: Number(id) } }], blocked: [] });
});

it('another workspace does not see these lists, and a list has at most 50 rows', async () => {
  const { id } = await given.purchase(workspaceId, itemId);
  await occupy(id, 12);
  await logFailures('10.9.0.1', 70);
  await given.db.query(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, purchased_at, blocked_at)
     select $1, sha256(n::text::bytea), '', '…', $2, 'Regular', 1, 'USD', $3, $3
     from generate_series(1, 51) as n`,
    [workspaceId, itemId, given.clock.now],
  );
  expect((await read()).blocked).toHaveLength(50);
  const other = await givenSignedIn(given, await given.workspace());
  const { body } = await other.get(`${other.base}/abuse?min_hosts=2&min_failures=2`);
  expect(body.data).toMatchObject({ purchases: [], callers: [], blocked: [] });
  expect((await other.get(`${panel.base}/abuse`)).body.code).toBe('workspace_not_found');
});

it.each(['min_hosts=1', 'min_hosts=10000', 'min_failures=x', 'min_failures=', 'min_hosts=5.0'])(
  'a threshold that is not written as an integer from 2 to 9999 is refused with 400: %s',
  async (query) => {
    const { status, body } = await panel.get(`${panel.base}/abuse?${query}`);
    expect([status, body.code, Object.keys(body.errors)]).toEqual([
      400,
      'invalid_parameter',
      [query.split('=')[0]],
    ]);
  },
);
