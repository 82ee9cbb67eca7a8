// Clients of Envato, Gumroad and Lemon Squeezy get the answers of their vendor from this service.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { auditActions, keyClient, type TestClient } from '../environment/clients.ts';
import { setUpLicensing } from '../environment/given.ts';
import { givenSignedIn } from '../environment/panel-browser.ts';

const given = setUpLicensing();
const all = ['envato', 'gumroad', 'lemon_squeezy'];
let workspaceId: bigint;
let itemId: bigint;
let secret: string;
let publishable: string;
let manager: TestClient;
let owner: Awaited<ReturnType<typeof givenSignedIn>>;
let code: string;
let purchaseId: bigint;

const publishableKey = (ofWorkspace: bigint, ofItem: bigint) =>
  given.apiKey(ofWorkspace, { kind: 'publishable', scopes: ['purchases:validate'], itemId: ofItem });

beforeAll(async () => {
  workspaceId = await given.workspace();
  itemId = await given.item(workspaceId, { name: 'Slider', externalId: 'gum/slider' });
  secret = await given.apiKey(workspaceId, { scopes: allScopes });
  publishable = await publishableKey(workspaceId, itemId);
  manager = keyClient(given, secret);
  owner = await givenSignedIn(given, workspaceId);
  await owner.patch(owner.base, { vendor_clients: all });
});
beforeEach(async () => {
  ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId));
});

async function ask(
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const payload = body === undefined ? {} : { payload: body as object };
  const answer = await given.app.inject({ method, url, headers, ...payload });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const sale = (query: string, key = secret) =>
  ask('GET', `/v3/market/author/sale${query}`, undefined, { authorization: `Bearer ${key}` });
const verify = (body: Record<string, string>, key = publishable) =>
  ask('POST', `/vendors/${key}/v2/licenses/verify`, new URLSearchParams(body).toString(), form);
const lemon = (verb: string, body: unknown, key = publishable) =>
  ask('POST', `/vendors/${key}/v1/licenses/${verb}`, body, { 'content-type': 'application/vnd.api+json' });
const refund = () => manager.send('POST', `/purchases/${purchaseId}/refund`);
const dispute = () => manager.send('POST', `/purchases/${purchaseId}/dispute`);

describe('the setting', () => {
  it('vendor APIs are off by default; only owners can turn them on, which is audited', async () => {
    const other = await given.workspace();
    const itsOwner = await givenSignedIn(given, other);
    const member = await givenSignedIn(given, other, 'member');
    expect((await member.get(itsOwner.base)).body.data.workspace.vendor_clients).toEqual([]);
    expect((await member.patch(itsOwner.base, { vendor_clients: all })).status).toBe(403);
    for (const wrong of [['ebay'], 'envato', ['envato', 'envato'], [5]])
      expect((await itsOwner.patch(itsOwner.base, { vendor_clients: wrong })).status).toBe(400);
    const { body } = await itsOwner.patch(itsOwner.base, { vendor_clients: ['gumroad', 'envato'] });
    expect(body.data.workspace.vendor_clients).toEqual(['envato', 'gumroad']);
    const { entries } = (await itsOwner.get(`${itsOwner.base}/audit-log?limit=1`)).body.data;
    const change = { from: [], to: ['envato', 'gumroad'] };
    expect(entries[0]).toMatchObject({ action: 'workspace_changed', details: { vendor_clients: change } });
  });

  it('a vendor API that is off answers 403 in the format of the vendor, even for a valid code', async () => {
    const other = await given.workspace();
    const item = await given.item(other);
    const bought = await given.purchase(other, item);
    const key = await publishableKey(other, item);
    const off = [
      await sale(`?code=${bought.code}`, await given.apiKey(other)),
      await verify({ product_id: String(item), license_key: bought.code }, key),
      await lemon('validate', { license_key: bought.code }, key),
      await lemon('activate', { license_key: bought.code, instance_name: 'a.example' }, key),
      await lemon('deactivate', { license_key: bought.code, instance_id: '1' }, key),
    ];
    expect(off.map(({ status, body }) => [status, body.code])).toEqual(
      off.map(() => [403, 'vendor_client_off']),
    );
    expect(off[0]?.body.error).toBe(403);
    expect(off[1]?.body.success).toBe(false);
    expect(off[2]?.body).toMatchObject({ valid: false, license_key: null });
  });

  it('a missing key, and an unknown or secret key in the path, are refused with 401', async () => {
    for (const key of ['ck_pub_unknown', secret, '%00', 'x'.repeat(200)]) {
      const { status, body } = await lemon('validate', { license_key: code }, key);
      expect([status, body.valid]).toEqual([401, false]);
    }
    expect((await ask('GET', `/v3/market/author/sale?code=${code}`)).body).toMatchObject({ error: 401 });
  });
});

describe('a licence that ends', () => {
  const daysLater = (days: number) => new Date(given.clock.now.getTime() + days * 86_400_000);
  let start: Date;
  let shown: Record<string, string>;

  beforeAll(() => {
    start = given.clock.now;
  });
  beforeEach(async () => {
    const ending = await given.item(workspaceId);
    const item_id = Number(ending);
    await manager.send('PUT', '/licence-terms', { item_id, term_months: 1, grace_days: 7 });
    ({ code, id: purchaseId } = await given.purchase(workspaceId, ending));
    shown = { key: await publishableKey(workspaceId, ending), product: String(ending) };
  });
  afterEach(() => {
    given.clock.now = start;
  });
  const ask3 = async () => {
    const { key = '', product = '' } = shown;
    return {
      envato: await sale(`?code=${code}`),
      gumroad: await verify({ product_id: product, license_key: code }, key),
      lemon: await lemon('validate', { license_key: code }, key),
      activate: await lemon('activate', { license_key: code, instance_name: 'shop.example' }, key),
    };
  };

  it('the vendor APIs accept the licence until the grace period of the licence is over', async () => {
    const expires_at = '2026-06-04T10:00:00Z';
    for (const days of [0, 37]) {
      given.clock.now = daysLater(days);
      const { envato, gumroad, lemon: validated, activate } = await ask3();
      expect([envato.status, gumroad.status, validated.status, activate.status]).toEqual([
        200, 200, 200, 200,
      ]);
      expect(validated.body.license_key).toMatchObject({ expires_at });
      given.clock.now = start;
    }
    given.clock.now = daysLater(38.1);
    const ended = await ask3();
    expect(ended.envato).toMatchObject({
      status: 404,
      body: { error: 404, description: 'No sale belonging to the current user found with that code' },
    });
    const gone = 'Access to the purchase associated with this license has expired.';
    expect(ended.gumroad).toMatchObject({ status: 404, body: { success: false, message: gone } });
    const expired = {
      error: 'This license key has expired.',
      license_key: { status: 'expired', expires_at },
      code: 'licence_ended',
    };
    expect(ended.lemon).toMatchObject({ status: 400, body: { valid: false, ...expired } });
    expect(ended.activate).toMatchObject({ status: 400, body: { activated: false, ...expired } });
  });

  it('an instance of an ended licence can be deactivated; after a refund, the key is disabled', async () => {
    const { key = '' } = shown;
    const { instance } = (await lemon('activate', { license_key: code, instance_name: 'a.example' }, key))
      .body;
    given.clock.now = daysLater(60);
    const wanted = { license_key: code, instance_id: instance.id };
    const released = await lemon('deactivate', wanted, key);
    expect(released).toMatchObject({
      status: 200,
      body: { deactivated: true, license_key: { status: 'expired', activation_usage: 0 } },
    });
    await refund();
    expect((await lemon('validate', { license_key: code }, key)).body.license_key.status).toBe('disabled');
  });
});

describe('Envato', () => {
  it('a valid code returns the sale, for a secret key and for a publishable key in the path', async () => {
    const { status, body } = await sale(`?code=${code}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      amount: '19.99',
      sold_at: '2026-05-04T10:00:00Z',
      license: 'Regular License',
      supported_until: null,
      item: { id: Number(itemId), name: 'Slider' },
      code,
      buyer: '',
      purchase_count: 1,
    });
    const path = `/vendors/${publishable}/v3/market/author/sale?code=${code.toUpperCase()}`;
    expect((await ask('GET', path)).body).toEqual({ ...body, code: code.toUpperCase() });
  });

  it('a path that ends in a slash gets the same answers, because some validators send it', async () => {
    expect(await sale(`/?code=${code}`)).toMatchObject({
      status: 200,
      body: { code, license: 'Regular License' },
    });
    const path = `/vendors/${publishable}/v3/market/author/sale/`;
    expect(await ask('GET', `${path}?code=${code}`)).toMatchObject({ status: 200, body: { code } });
    for (const wrong of ['?code=00000000-0000-4000-8000-000000000000', '?code=', ''])
      expect((await sale(`/${wrong}`)).status).toBe((await sale(wrong)).status);
    expect((await ask('GET', `/v3/market/author/sale/?code=${code}`)).body).toMatchObject({ error: 401 });
  });

  it('an unknown, foreign, refunded or disputed code gets the 404 of Envato', async () => {
    const notFound = {
      error: 404,
      description: 'No sale belonging to the current user found with that code',
    };
    const other = await given.workspace();
    const foreign = await given.purchase(other, await given.item(other));
    for (const wrong of ['00000000-0000-4000-8000-000000000000', foreign.code])
      expect(await sale(`?code=${wrong}`)).toMatchObject({ status: 404, body: notFound });
    await dispute();
    expect(await sale(`?code=${code}`)).toMatchObject({ status: 404, body: notFound });
    await refund();
    expect(await sale(`?code=${code}`)).toMatchObject({ status: 404, body: notFound });
  });

  it.each(['', '?code=', '?code=%00', `?code=${'x'.repeat(129)}`, '?code=a&code=b'])(
    'a request for a sale with the query %j gets 400',
    async (query) => {
      const { status, body } = await sale(query);
      expect([status, body.error]).toEqual([400, 400]);
      expect(body.description).toEqual(expect.any(String));
    },
  );
});

describe('Gumroad', () => {
  const notFound = { success: false, message: 'That license does not exist for the provided product.' };

  it('a valid code returns the purchase, by product_id and by product_permalink', async () => {
    const { status, body } = await verify({ product_id: String(itemId), license_key: code });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      uses: 1,
      purchase: {
        product_id: String(itemId),
        product_name: 'Slider',
        license_key: code,
        price: 1999,
        currency: 'usd',
        email: '',
        refunded: false,
        disputed: false,
        chargebacked: false,
        subscription_ended_at: null,
      },
    });
    const named = await verify({ product_permalink: String(itemId), license_key: code });
    expect(named.body).toEqual({ ...body, uses: 2 });
  });

  it('the external id of an item is a valid product; product_id overrides product_permalink', async () => {
    for (const name of ['product_id', 'product_permalink']) {
      const { status, body } = await verify({ [name]: 'gum/slider', license_key: code });
      expect([status, body.purchase?.product_id]).toEqual([200, 'gum/slider']);
    }
    const both = { product_permalink: 'gum/slider', license_key: code };
    expect((await verify({ ...both, product_id: String(itemId) })).status).toBe(200);
    expect(await verify({ ...both, product_id: 'other' })).toMatchObject({ status: 404, body: notFound });
  });

  it('`uses` counts verifications, even after a refund, except with increment_uses_count=false', async () => {
    const wanted = { product_id: String(itemId), license_key: code };
    const usesOf = async (more: object = {}) => {
      const url = `/vendors/${publishable}/v2/licenses/verify`;
      return (await ask('POST', url, { ...wanted, ...more })).body.uses;
    };
    expect(await usesOf({ increment_uses_count: false })).toBe(0);
    expect(await usesOf()).toBe(1);
    expect(await usesOf({ increment_uses_count: 'true' })).toBe(2);
    expect((await verify({ ...wanted, increment_uses_count: 'false' })).body.uses).toBe(2);
    const counted = await Promise.all(Array.from({ length: 8 }, () => usesOf()));
    expect(counted.sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
    await verify({ product_id: 'other', license_key: code });
    await refund();
    expect(await usesOf()).toBe(11);
    const other = await given.purchase(workspaceId, itemId);
    const { body } = await verify({ product_id: String(itemId), license_key: other.code });
    expect(body.uses).toBe(1);
  });

  it('a JSON body may contain the product and the counting switch in every form of Gumroad', async () => {
    const sendJson = (body: object, key = publishable) =>
      ask('POST', `/vendors/${key}/v2/licenses/verify`, { license_key: code, ...body });
    const product_id = Number(itemId);
    const first = await sendJson({ product_id, increment_uses_count: false });
    expect(first).toMatchObject({
      status: 200,
      body: { uses: 0, purchase: { product_id: String(itemId), license_key: code } },
    });
    const uses = [];
    for (const increment_uses_count of [true, 'true', 1, 0, null, 'false', false])
      uses.push((await sendJson({ product_id, increment_uses_count })).body.uses);
    expect(uses).toEqual([1, 2, 3, 4, 5, 5, 5]);
    const unknown = await sendJson({ product_id: product_id + 1_000_000 });
    expect(unknown).toMatchObject({ status: 404, body: notFound });
    for (const wrong of [1.5, -1, 2 ** 53, 1e300, true, [product_id], { id: product_id }]) {
      const { status, body } = await sendJson({ product_id: wrong });
      expect([status, Object.keys(body.errors ?? {})], String(wrong)).toEqual([400, ['product_id']]);
    }
    expect((await sendJson({ product_id, license_key: 12345 })).status).toBe(400);
  });

  it('the old names id and link_id are accepted in forms and JSON; blank names count as absent', async () => {
    const url = `/vendors/${publishable}/v2/licenses/verify`;
    for (const name of ['id', 'link_id']) {
      expect((await verify({ [name]: 'gum/slider', license_key: code })).status).toBe(200);
      expect((await ask('POST', url, { [name]: Number(itemId), license_key: code })).status).toBe(200);
    }
    const named = { product_permalink: 'gum/slider', license_key: code };
    expect((await verify({ ...named, id: 'other' })).status).toBe(404);
    expect((await verify({ ...named, product_id: ' ', id: '' })).status).toBe(200);
    expect((await ask('POST', url, { ...named, product_id: null, id: false })).status).toBe(200);
    expect((await ask('POST', url, { product_id: ' ', license_key: code })).status).toBe(400);
  });

  it('a disputed, refunded or cancelled purchase gets the answer that Gumroad gives', async () => {
    const asked = () => verify({ product_id: String(itemId), license_key: code });
    await dispute();
    expect((await asked()).body.purchase).toMatchObject({ chargebacked: true, disputed: true });
    await refund();
    expect((await asked()).body).toMatchObject({ success: true, purchase: { refunded: true } });
    ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId));
    await manager.send('POST', `/purchases/${purchaseId}/cancel`);
    const disabled = { success: false, message: 'This license key has been disabled.' };
    expect(await asked()).toMatchObject({ status: 404, body: disabled });
  });

  it('an unknown code, and a code of another product or workspace, get the 404 of Gumroad', async () => {
    const other = await given.workspace();
    const foreignItem = await given.item(other);
    const foreign = await given.purchase(other, foreignItem);
    const second = await given.item(workspaceId);
    for (const wrong of [
      { product_id: String(itemId), license_key: 'unknown' },
      { product_id: String(second), license_key: code },
      { product_id: 'slider', license_key: code },
      { product_id: '\u0000', license_key: code },
      { product_permalink: 'GUM/slider', license_key: code },
      { product_id: String(foreignItem), license_key: foreign.code },
    ])
      expect(await verify(wrong)).toMatchObject({ status: 404, body: notFound });
  });

  it('a request without a product, without a code or with broken JSON gets 400', async () => {
    const url = `/vendors/${publishable}/v2/licenses/verify`;
    const json = { 'content-type': 'application/json' };
    for (const { status, body } of [
      await verify({ license_key: code }),
      await verify({ product_id: 'x'.repeat(513), license_key: code }),
      await ask('POST', url, { product_id: String(itemId), license_key: code, increment_uses_count: [1] }),
      await verify({ product_id: String(itemId) }),
      await ask('POST', url, '{"license_key":', json),
      await ask('POST', url, { product_id: String(itemId), license_key: { a: 1 } }),
    ])
      expect([status, body.success, typeof body.message]).toEqual([400, false, 'string']);
  });
});

describe('Lemon Squeezy', () => {
  it('a licence key is validated, activated up to its limit, and deactivated', async () => {
    const before = await lemon('validate', { license_key: code });
    const licenseKey = { key: code, status: 'inactive', activation_limit: 1, activation_usage: 0 };
    expect(before).toMatchObject({
      status: 200,
      body: { valid: true, error: null, license_key: licenseKey, instance: null },
    });
    expect(before.body.meta).toMatchObject({ product_id: Number(itemId), product_name: 'Slider' });

    const first = await lemon('activate', { license_key: code, instance_name: 'https://shop.example/' });
    expect(first.body).toMatchObject({
      activated: true,
      error: null,
      license_key: { status: 'active', activation_usage: 1 },
      instance: { id: expect.stringMatching(/^\d+$/), name: 'shop.example' },
    });
    const again = await lemon('activate', { license_key: code, instance_name: 'shop.example' });
    expect(again.body.instance.id).toBe(first.body.instance.id);

    const second = await lemon('activate', { license_key: code, instance_name: 'Ada’s laptop' });
    expect(second).toMatchObject({
      status: 400,
      body: {
        activated: false,
        error: 'This license key has reached the activation limit.',
        license_key: { activation_limit: 1, activation_usage: 1 },
        instance: null,
      },
    });

    const { id } = first.body.instance;
    const asInstance = () => lemon('validate', { license_key: code, instance_id: id });
    expect((await asInstance()).body).toMatchObject({ valid: true, instance: { id } });
    const released = await lemon('deactivate', { license_key: code, instance_id: id });
    expect(released.body).toMatchObject({
      deactivated: true,
      error: null,
      license_key: { status: 'inactive', activation_usage: 0 },
    });
    const gone = { valid: false, error: 'instance_id not found.', license_key: { key: code } };
    expect(await asInstance()).toMatchObject({ status: 404, body: gone });
    expect(await auditActions(given, workspaceId)).toEqual(
      expect.arrayContaining(['purchase_activated', 'activation_released']),
    );
  });

  it('the key of a refunded purchase is disabled, and an unknown licence key is not found', async () => {
    const unknown = { license_key: 'unknown', instance_name: 'a', instance_id: '1' };
    for (const verb of ['validate', 'activate', 'deactivate'])
      expect(await lemon(verb, unknown)).toMatchObject({
        status: 404,
        body: { [`${verb === 'validate' ? 'valid' : `${verb}d`}`]: false, error: 'license_key not found.' },
      });
    await refund();
    const disabled = { error: 'This license key is disabled.', license_key: { status: 'disabled' } };
    expect(await lemon('validate', { license_key: code })).toMatchObject({
      status: 400,
      body: { ...disabled, valid: false },
    });
    expect(await lemon('activate', { license_key: code, instance_name: 'a.example' })).toMatchObject({
      status: 400,
      body: { ...disabled, activated: false },
    });
  });

  it('an instance with a local host name, such as a.local, occupies a seat', async () => {
    const first = await lemon('activate', { license_key: code, instance_name: 'a.local' });
    expect(first.body).toMatchObject({ activated: true, license_key: { activation_usage: 1 } });
    const second = await lemon('activate', { license_key: code, instance_name: 'b.local' });
    expect([second.status, second.body.activated]).toEqual([400, false]);
  });

  it.each(['f90ec370-fd83-46a5-8bbd-44a241e78665', '99999999999999999999', '0'])(
    'the instance %s, which this service has not created, is not found',
    async (instance_id) => {
      for (const verb of ['validate', 'deactivate']) {
        const answer = await lemon(verb, { license_key: code, instance_id });
        expect([answer.status, answer.body.error]).toEqual([404, 'instance_id not found.']);
      }
    },
  );

  it('an empty instance id counts as absent, and an instance cannot be deactivated twice', async () => {
    expect((await lemon('validate', { license_key: code, instance_id: '' })).status).toBe(200);
    const { body } = await lemon('activate', { license_key: code, instance_name: 'shop.example' });
    const release = () => lemon('deactivate', { license_key: code, instance_id: body.instance.id });
    expect((await release()).status).toBe(200);
    expect((await release()).status).toBe(404);
  });

  it('an instance of another purchase is not found, and its seat stays occupied', async () => {
    const taken = await lemon('activate', { license_key: code, instance_name: 'shop.example' });
    const { id } = taken.body.instance;
    const other = await given.purchase(workspaceId, itemId);
    for (const verb of ['validate', 'deactivate'])
      expect((await lemon(verb, { license_key: other.code, instance_id: id })).status).toBe(404);
    expect((await lemon('validate', { license_key: code })).body.license_key.activation_usage).toBe(1);
  });

  it.each([
    ['validate', {}],
    ['validate', { license_key: ' ' }],
    ['validate', { license_key: 'a', instance_id: 'x'.repeat(129) }],
    ['activate', { license_key: 'a' }],
    ['activate', { license_key: 'a', instance_name: 'x'.repeat(300) }],
    ['deactivate', { license_key: 'a' }],
  ])('a request to %s with the body %j gets 400', async (verb, body) => {
    const answer = await lemon(verb, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.any(String), errors: expect.any(Object) });
  });

  it('a page of another site may call the operations of Lemon Squeezy', async () => {
    const url = `/vendors/${publishable}/v1/licenses/validate`;
    const { headers } = await ask('POST', url, { license_key: code }, { origin: 'https://shop.example' });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('records and limits', () => {
  it('each request is in the request log, with the route and without key and code', async () => {
    await lemon('validate', { license_key: code });
    await refund();
    await sale(`?code=${code}`);
    const lines = async () => (await owner.get(`${owner.base}/requests?limit=100`)).body.data.requests;
    await expect
      .poll(async () => (await lines()).map((line: { route: string }) => line.route))
      .toEqual(
        expect.arrayContaining(['/vendors/:publishable_key/v1/licenses/validate', '/v3/market/author/sale']),
      );
    const refused = (await lines()).find((line: { code?: string }) => line.code === 'purchase_refunded');
    expect(refused).toMatchObject({ status: 404, item_id: Number(itemId) });
    const shown = JSON.stringify(await lines());
    for (const log of [shown, given.logLines.join('\n')]) {
      for (const hidden of [publishable, secret, code]) expect(log).not.toContain(hidden);
    }
  });
});
