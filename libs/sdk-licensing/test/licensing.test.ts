// @counterfoil/licensing with the running service: every operation, and calls whose answer is lost.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../../services/licensing/server/src/authentication/api-key.ts';
import { type Given, givenLicensing } from '../../../services/licensing/server/test/environment/given.ts';
import { failureOf, patient } from '../../sdk-shared/test/client-calls.ts';
import { type CuttingProxy, openCuttingProxy } from '../../sdk-shared/test/cutting-proxy.ts';
import { createLicensing, type Licensing } from '../src/index.ts';

/** A WebP image of one pixel. All its bytes are below 128, because the proxy passes bodies on as text. */
const tinyWebp = 'RIFF\x16\0\0\0WEBPVP8L\x09\0\0\0/\0\0\0\0(PD\x04\0';

let given: Given;
let proxy: CuttingProxy;
let licensing: Licensing;
let publishable: Licensing;
let itemId: number;
let key: string;

beforeAll(async () => {
  given = await givenLicensing();
  proxy = await openCuttingProxy(await given.app.listen({ host: '127.0.0.1', port: 0 }));
  const workspaceId = await given.workspace();
  key = await given.apiKey(workspaceId, { scopes: allScopes });
  licensing = createLicensing({ baseUrl: `${proxy.url}/`, apiKey: key, backoffMs: 1, ...patient });
  const made = await licensing.createItem({
    kind: 'image',
    name: 'Brushes',
    price: { regular: '19.99', extended: '199' },
    media: { thumbnail: 'https://cdn.example/t.png', preview_image: 'https://cdn.example/p.png' },
  });
  itemId = made.data.item.id;
  const shipped = await given.apiKey(workspaceId, {
    kind: 'publishable',
    scopes: ['purchases:validate', 'activations:write'],
    itemId: BigInt(itemId),
  });
  publishable = createLicensing({ baseUrl: proxy.url, apiKey: shipped, backoffMs: 1, ...patient });
});
beforeEach(() => {
  proxy.outcomes = [];
  proxy.seen.length = 0;
});
afterAll(async () => {
  await proxy.close();
  await given.close();
});

describe('every operation of the licensing client', () => {
  it('the client edits an item, adds versions and files, publishes and withdraws the item', async () => {
    const { data } = await licensing.editItem(itemId, {
      description: 'Sixty of them.',
      category: 'Graphics',
      price: { regular: '0.07', extended: '199.50' },
    });
    expect(data.item.price).toEqual({ regular: '0.07', extended: '199.5' });
    const versions = await licensing.listVersions(itemId);
    const version = versions.data.versions[0]?.version ?? '';
    const file = new Uint8Array([1, 2, 3]);
    const uploaded = await licensing.uploadFile(itemId, { version, file, file_name: 'b.zip' });
    expect(uploaded.data.version.file).toMatchObject({ name: 'b.zip', bytes: 3 });
    const picture = new TextEncoder().encode(tinyWebp);
    const shown = await licensing.uploadMedia(itemId, { field: 'screenshots', file: picture });
    expect(shown.data.item.media.screenshots).toEqual([
      expect.stringMatching(/\/media\/\d+\/[0-9a-f]{32}\.webp$/),
    ]);
    const newer = await licensing.addVersion(itemId, { version: '9.0.0', notes: 'More.' });
    expect(newer.data.item.version).toBe('9.0.0');
    await licensing.addVersion(itemId, { version: '9.1.0', channel: 'beta' });
    const promoted = await licensing.promoteVersion(itemId, '9.1.0');
    expect(promoted.data.item.version).toBe('9.1.0');
    expect((await licensing.publishItem(itemId)).data.item.state).toBe('published');
    expect((await licensing.withdrawItem(itemId)).data.item.state).toBe('withdrawn');
    await licensing.publishItem(itemId);
    expect((await licensing.getItem(itemId)).data.item.description).toBe('Sixty of them.');
    const listed = await licensing.listItems({ limit: 10, state: 'published' });
    expect(listed.data.items.map((item) => item.id)).toEqual([itemId]);
    const all = await licensing.listPublishedItems({ per_page: 5 });
    expect(all).toMatchObject({ items: [{ id: itemId }], meta: { total: 1 } });
    const one = await licensing.getPublishedItem({ item_id: itemId });
    expect(one.item.price.extended).toBe('199.5');
  });

  it('the client sets the balance and reads the account', async () => {
    await licensing.setBalance({ balance: '1234.56' });
    expect((await licensing.getAccount()).data).toMatchObject({ balance: '1234.56' });
  });

  it('the client issues a purchase, changes its state and erases its buyer', async () => {
    const sale = { item_id: itemId, price: '17.95', buyer: { email: 'b@buyer.example' } };
    const issued = await licensing.issuePurchase(sale);
    const { id, purchase_code: code, price } = issued.data.purchase;
    expect(price).toBe('17.95');
    const found = await licensing.listPurchases({ purchase_code: code });
    expect(found.data.purchases.map((each) => each.id)).toEqual([id]);
    const until = '2030-01-01T00:00:00Z';
    const longer = await licensing.extendSupport(id, { supported_until: until });
    expect(longer.data.purchase.supported_until).toBe(until);
    const stateAfter = async (call: Promise<{ data: { purchase: { state: string } } }>) =>
      (await call).data.purchase.state;
    expect(await stateAfter(licensing.disputePurchase(id))).toBe('disputed');
    expect(await stateAfter(licensing.winDispute(id))).toBe('active');
    const link = await licensing.makeDownloadLink(id, { version: '1.0.0', hours: 1 });
    expect(link.data.url).toContain('/downloads/');
    expect(await stateAfter(licensing.refundPurchase(id))).toBe('refunded');
    const error = await failureOf(licensing.cancelPurchase(id));
    expect(error).toMatchObject({ code: 'purchase_state_conflict', outcome: 'not_applied' });
    expect((await licensing.eraseBuyer({ email: 'b@buyer.example' })).data.purchases).toBe(1);
    expect((await licensing.getPurchase(id)).data.purchase.buyer.email).toBe('');
  });

  it('the client activates and releases a code on a host, and no URL contains the code', async () => {
    const limits = await licensing.setActivationLimits({ item_id: itemId, regular: 1 });
    expect(limits.data.in_force.regular).toBe(1);
    const { purchase } = (await licensing.issuePurchase({ item_id: itemId })).data;
    const place = { purchase_code: purchase.purchase_code, domain: 'https://www.shop.example/' };
    proxy.outcomes = ['cut'];
    const first = await publishable.activate(place);
    expect(first.data).toMatchObject({ used: 1, activation: { target: 'shop.example' } });
    const full = await failureOf(publishable.activate({ ...place, domain: 'other.example' }));
    expect(full).toMatchObject({ status: 409, outcome: 'not_applied' });
    const { purchase_code } = place;
    const listed = await licensing.listActivations({ purchase_code });
    expect(listed.data.activations).toMatchObject([{ purchase_id: purchase.id }]);
    expect((await publishable.releaseActivation(place)).data.activation.state).toBe('released');
    const read = await licensing.getActivationLimits({ item_id: itemId });
    expect(read.data.set).toMatchObject({ regular: 1 });
    expect(proxy.seen.map(({ url }) => url).join()).not.toContain(purchase_code);
  });
});

describe('a call whose answer is lost', () => {
  it('a sale is created once, with the idempotency key that the client generated', async () => {
    const count = async () => (await licensing.listPurchases({ limit: 100 })).data.purchases.length;
    const before = await count();
    proxy.outcomes = ['cut', 'half'];
    await licensing.issuePurchase({ item_id: itemId });
    expect(await count()).toBe(before + 1);
    proxy.outcomes = ['cut'];
    const error = await failureOf(licensing.issuePurchase({ item_id: itemId }, { maxAttempts: 1 }));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
    const { idempotencyKey = '' } = error;
    await licensing.issuePurchase({ item_id: itemId }, { idempotencyKey });
    expect(await count()).toBe(before + 2);
  });

  it('the creation of an item, which has no idempotency key, is not sent twice', async () => {
    const item = { kind: 'audio', name: 'Once' } as const;
    proxy.outcomes = ['cut'];
    const error = await failureOf(licensing.createItem(item));
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    const { data } = await licensing.listItems({ search: 'Once' });
    expect(data.items).toHaveLength(1);
  });
});

it('the client refuses an invalid amount before it sends anything, and names the field', async () => {
  const float = (0.1 + 0.2) as unknown as string;
  for (const wrong of ['a lot', '-1', float]) {
    const error = await failureOf(licensing.issuePurchase({ item_id: itemId, price: wrong }));
    const fields = { price: [expect.any(String)] };
    expect(error).toMatchObject({ code: 'invalid_amount', outcome: 'not_applied', fields });
  }
  for (const wrong of ['a lot', '--1', float]) {
    const error = await failureOf(licensing.setBalance({ balance: wrong }));
    const fields = { balance: [expect.any(String)] };
    expect(error).toMatchObject({ code: 'invalid_amount', outcome: 'not_applied', fields });
  }
  expect(proxy.seen).toEqual([]);
});

it('the client accepts a negative balance and a sale without a price', async () => {
  const { data } = await licensing.setBalance({ balance: '-12.50' });
  expect(data.balance).toBe('-12.5');
  const sale = await licensing.issuePurchase({ item_id: itemId });
  const { item } = (await licensing.getItem(itemId)).data;
  expect(sale.data.purchase.price).toBe(item.price.regular);
});

it('no URL, body or error contains the API key', async () => {
  const error = await failureOf(licensing.getItem(999_999));
  expect(error).toMatchObject({ code: 'item_not_found', status: 404, attempts: 1 });
  const wrong = createLicensing({ baseUrl: proxy.url, apiKey: 'ck_live_wrong_wrong', ...patient });
  const refused = await failureOf(wrong.getAccount());
  expect(refused).toMatchObject({ code: 'api_key_invalid', status: 401 });
  const seen = JSON.stringify([proxy.seen, licensing, error, refused, error.stack, refused.stack]);
  for (const each of [key, 'ck_live_wrong_wrong']) expect(seen).not.toContain(each);
});
