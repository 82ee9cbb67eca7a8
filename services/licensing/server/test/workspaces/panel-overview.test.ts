// The first page of the panel: sales, support that ends soon, and the progress of a new seller.
import { describe, expect, it } from 'vitest';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const dayMs = 86_400_000;
const given = setUpLicensing();

const daysFromNow = (days: number) => new Date(given.clock.now.getTime() + days * dayMs);

describe('the sales in the overview', () => {
  it('sales of the last 30 days are summed by day and currency, without refunded purchases', async () => {
    const workspaceId = await given.workspace();
    const itemId = await given.item(workspaceId);
    const sale = (days: number, wanted = {}) =>
      given.purchase(workspaceId, itemId, { purchasedAt: daysFromNow(days), ...wanted });
    await sale(0);
    await sale(0, { priceMinor: 1n });
    await sale(-3, { priceMinor: 500n, currency: 'JPY' });
    await sale(-31);
    await sale(-1, { state: 'refunded' });
    const owner = await givenSignedIn(given, workspaceId);
    const { body } = await owner.get(`${owner.base}/overview`);
    expect(body.data.sales).toEqual([
      { day: '2026-05-01T00:00:00Z', currency: 'JPY', count: 1, total: 500 },
      { day: '2026-05-04T00:00:00Z', currency: 'USD', count: 2, total: 20 },
    ]);
    await sale(-2, { priceMinor: 10n });
    await sale(-2, { priceMinor: 20n });
    const { totals } = (await owner.get(`${owner.base}/overview`)).body.data;
    expect(totals).toEqual([
      { currency: 'JPY', count: 1, total: 500 },
      { currency: 'USD', count: 4, total: 20.3 },
    ]);
  });

  it('sales of another workspace are not included', async () => {
    const [ours, theirs] = [await given.workspace(), await given.workspace()];
    await given.purchase(theirs, await given.item(theirs), { supportedUntil: daysFromNow(3) });
    const owner = await givenSignedIn(given, ours);
    const { body } = await owner.get(`${owner.base}/overview`);
    expect(body.data.sales).toEqual([]);
    expect(body.data.support_ending).toEqual({ count: 0, next: [] });
    const other = await owner.get(`/panel/workspaces/${theirs}/overview`);
    expect([other.status, other.body.code]).toEqual([404, 'workspace_not_found']);
  });
});

it('the overview counts purchases whose support ends within 30 days, the next end first', async () => {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  for (const days of [9, 2, 40, -1]) {
    await given.purchase(workspaceId, itemId, { supportedUntil: daysFromNow(days) });
  }
  const owner = await givenSignedIn(given, workspaceId);
  const { body } = await owner.get(`${owner.base}/overview`);
  const { count, next } = body.data.support_ending;
  expect(count).toBe(2);
  expect(next.map((each: { supported_until: string }) => each.supported_until)).toEqual([
    '2026-05-06T10:00:00Z',
    '2026-05-13T10:00:00Z',
  ]);
  expect(JSON.stringify(next)).not.toContain('purchase_code');
});

it('a blocked purchase has no ending support in the overview, but its sale counts', async () => {
  const workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  const sell = () => given.purchase(workspaceId, itemId, { supportedUntil: daysFromNow(5) });
  const [blocked, other] = [await sell(), await sell()];
  const owner = await givenSignedIn(given, workspaceId);
  const read = async () => (await owner.get(`${owner.base}/overview`)).body.data;
  await owner.post(`${owner.base}/purchases/${blocked.id}/block`);
  expect(await read()).toMatchObject({
    support_ending: { count: 1, next: [{ id: Number(other.id) }] },
    totals: [{ count: 2 }],
  });
  await owner.post(`${owner.base}/purchases/${blocked.id}/unblock`);
  expect((await read()).support_ending.count).toBe(2);
});

it('a key, a published item, an API call and a valid code complete the checklist', async () => {
  const workspaceId = await given.workspace();
  const owner = await givenSignedIn(given, workspaceId);
  const progress = async () => (await owner.get(`${owner.base}/overview`)).body.data.progress;
  const nothing = {
    has_key: false,
    has_item: false,
    first_call_seen: false,
    first_valid_code: false,
  };
  expect(await progress()).toEqual(nothing);
  const apiKey = await given.apiKey(workspaceId);
  const itemId = await given.item(workspaceId);
  expect(await progress()).toEqual({ ...nothing, has_key: true, has_item: true });
  const { code } = await given.purchase(workspaceId, itemId);
  const validate = (purchase_code: string) =>
    given.app.inject({
      method: 'POST',
      url: '/api/purchases/validation',
      payload: { api_key: apiKey, purchase_code },
    });
  await validate('wrong');
  await expect.poll(async () => (await progress()).first_call_seen).toBe(true);
  expect((await progress()).first_valid_code).toBe(false);
  await validate(code);
  await expect.poll(async () => (await progress()).first_valid_code).toBe(true);
});
