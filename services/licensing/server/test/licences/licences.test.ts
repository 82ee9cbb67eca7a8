// POST /api/v1/licences: a host gets a signed licence under the rules of validation and activation.
import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { selectRevocations } from '../../src/licences/revocation-list.ts';
import { auditActions, keyClient, type TestClient } from '../environment/clients.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const day = 86_400;
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
  // Moves the clock of the caches past their time limit, so that each test reads fresh keys and lists.
  given.memoryClock.ms = (given.memoryClock.ms ?? 0) + 60_000;
  const supportedUntil = new Date('2026-11-04T10:00:00Z');
  ({ code, id: purchaseId } = await given.purchase(workspaceId, itemId, { supportedUntil }));
});

const issue = (more: object = { domain: 'https://www.Shop.Example/' }, by = plugIn) =>
  by.send('POST', '/licences', { purchase_code: code, ...more });

const readPart = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString());
const readKeys = async (id: bigint | string = workspaceId) =>
  (await given.app.inject({ url: `/.well-known/jwks/${id}.json` })).json();
const readList = async () =>
  (await given.app.inject({ url: `/.well-known/revocations/${workspaceId}.jwt` })).body;

/** Verifies a compact JWS with the published keys, and returns its claims. */
async function open(jws: string) {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const { kid, ...rest } = readPart(header);
  const jwk = (await readKeys()).keys.find((key: { kid: string }) => key.kid === kid);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isGenuine = verify(
    null,
    Buffer.from(`${header}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  expect(isGenuine).toBe(true);
  return { header: rest, claims: readPart(claims) };
}

describe('a licence', () => {
  it('a licence states purchase, item, host and times, and is signed with a published key', async () => {
    const answer = await issue();
    expect(answer.status, answer.text).toBe(200);
    const { header, claims } = await open(answer.body.data.licence);
    expect(header).toEqual({ alg: 'EdDSA', typ: 'counterfoil-licence+jwt' });
    const iat = Math.floor(given.clock.now.getTime() / 1000);
    expect(claims).toEqual({
      iss: given.config.publicUrl,
      sub: String(purchaseId),
      item_id: Number(itemId),
      license_type: 'Regular',
      domain: 'shop.example',
      supported_until: '2026-11-04T10:00:00Z',
      code_id: expect.stringMatching(/^[\w-]{22}$/),
      iat,
      exp: iat + 14 * day,
      grace: 7 * day,
    });
    expect(answer.body.data).toMatchObject({
      expires_at: '2026-05-18T10:00:00Z',
      grace_until: '2026-05-25T10:00:00Z',
      jwks_url: `${given.config.publicUrl}/.well-known/jwks/${workspaceId}.json`,
    });
    expect(answer.text).not.toContain(code);
  });

  it('a licence can be issued for a machine id, and keeps the letter case of the id', async () => {
    const { body } = await issue({ machine_id: ' AB-12 ' }, client);
    expect((await open(body.data.licence)).claims).toMatchObject({ machine_id: 'AB-12' });
  });

  it('licences of one host occupy one seat, and a licence for a second host is refused', async () => {
    expect((await issue()).status).toBe(200);
    expect((await issue()).status).toBe(200);
    const refused = await issue({ domain: 'other.example' });
    expect([refused.status, refused.body.code]).toEqual([409, 'activation_limit_reached']);
    expect(refused.body.data).toEqual({ limit: 1, used: 1 });
    const { body } = await client.send('GET', `/activations?purchase_id=${purchaseId}`);
    expect(body.data.activations).toHaveLength(1);
  });

  it('a new licence for a host occupies a seat again after the seat was released', async () => {
    await issue();
    await plugIn.send('POST', '/activations/release', { purchase_code: code, domain: 'shop.example' });
    expect((await issue()).status).toBe(200);
    const { body } = await client.send('GET', `/activations?purchase_id=${purchaseId}`);
    expect(body.data.activations).toMatchObject([{ state: 'active' }]);
  });

  it.each(['refund', 'cancel', 'dispute'])('a licence is refused after the operation %s', async (verb) => {
    await issue();
    await client.send('POST', `/purchases/${purchaseId}/${verb}`);
    const refused = await issue();
    expect([refused.status, refused.body.msg]).toEqual([404, 'Invalid purchase code']);
    expect(refused.body.code).toMatch(/^purchase_(refunded|cancelled|disputed)$/);
  });

  it.each([
    ['a request without a host', {}, 400, 'invalid_parameter'],
    ['a host and a machine', { domain: 'a.example', machine_id: 'x' }, 400, 'invalid_parameter'],
    ['a text that is no host', { domain: 'https://' }, 400, 'invalid_parameter'],
    ['an unknown code', { domain: 'a.example', purchase_code: 'unknown' }, 404, 'purchase_not_found'],
    ["another item's code", { domain: 'a.example', item_id: 999_999 }, 404, 'purchase_not_found'],
  ])('a licence is refused for %s', async (_title, body, status, expected) => {
    const answer = await issue(body);
    expect([answer.status, answer.body.code]).toEqual([status, expected]);
  });

  it('a licence is issued only to a key that may activate purchases', async () => {
    const reader = keyClient(given, await given.apiKey(workspaceId));
    expect((await issue(undefined, reader)).body.code).toBe('insufficient_scope');
    expect((await issue(undefined, keyClient(given, 'ck_pub_wrong'))).body.code).toBe('api_key_invalid');
  });
});

describe('the terms of licences', () => {
  const set = (body: object) => client.send('PUT', '/licence-terms', body);
  const readTerms = async (query = '') => (await client.send('GET', `/licence-terms${query}`)).body.data;

  it('terms can be set for the workspace and for an item, and apply to new licences', async () => {
    const before = { valid_days: 14, grace_days: 7, term_months: 0, updates: 'support' };
    expect(await readTerms()).toEqual({ set: {}, in_force: before });
    await set({ grace_days: 3 });
    const { body } = await set({ item_id: Number(itemId), valid_days: 365 });
    expect(body.data).toEqual({
      set: { valid_days: 365 },
      in_force: { ...before, valid_days: 365, grace_days: 3 },
    });
    const { claims } = await open((await issue()).body.data.licence);
    expect([claims.exp - claims.iat, claims.grace]).toEqual([365 * day, 3 * day]);
    await set({ item_id: Number(itemId) });
    await set({});
    expect(await readTerms(`?item_id=${itemId}`)).toEqual({ set: {}, in_force: before });
    expect(await auditActions(given, workspaceId)).toContain('licence_terms_changed');
  });

  it('a term in months after the sale ends the licence; after the term no licence is issued', async () => {
    await set({ item_id: Number(itemId), term_months: 1 });
    const purchasedAt = new Date('2026-04-10T10:00:00Z');
    ({ code } = await given.purchase(workspaceId, itemId, { purchasedAt }));
    const { claims } = await open((await issue()).body.data.licence);
    expect(claims).toMatchObject({
      license_until: '2026-05-10T10:00:00Z',
      exp: Date.UTC(2026, 4, 10, 10) / 1000,
    });
    ({ code } = await given.purchase(workspaceId, itemId, { purchasedAt: new Date('2026-04-04T10:00:00Z') }));
    const refused = await issue();
    expect([refused.status, refused.body.code]).toEqual([409, 'licence_ended']);
    await set({ item_id: Number(itemId) });
  });

  it.each([
    [{ valid_days: 366 }],
    [{ valid_days: 0 }],
    [{ grace_days: 31 }],
    [{ term_months: 1.5 }],
    [{ valid: 1 }],
  ])('the terms %j are refused', async (body) => {
    const answer = await set(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
  });
});

describe('the revocation list', () => {
  const idOf = async (licence: string) => (await open(licence)).claims.code_id;

  it('the list names the codes of refunded and disputed purchases, and replaced codes', async () => {
    const refunded = await idOf((await issue()).body.data.licence);
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    const other = await given.purchase(workspaceId, itemId);
    ({ code } = other);
    const replaced = await idOf((await issue()).body.data.licence);
    const { body } = await client.send('POST', `/purchases/${other.id}/reissue`);
    code = body.data.purchase.purchase_code;
    const valid = await idOf((await issue()).body.data.licence);
    const disputed = await given.purchase(workspaceId, itemId);
    ({ code } = disputed);
    const open2 = await idOf((await issue()).body.data.licence);
    await client.send('POST', `/purchases/${disputed.id}/dispute`);

    given.memoryClock.ms = (given.memoryClock.ms ?? 0) + 60_000;
    const { header, claims } = await open(await readList());
    expect(header).toEqual({ alg: 'EdDSA', typ: 'counterfoil-revocations+jwt' });
    expect(claims.revoked).toEqual(expect.arrayContaining([refunded, replaced, open2]));
    expect(claims.revoked).not.toContain(valid);
    expect(claims.exp - claims.iat).toBe(day);

    await client.send('POST', `/purchases/${disputed.id}/dispute-won`);
    given.memoryClock.ms = (given.memoryClock.ms ?? 0) + 60_000;
    expect((await open(await readList())).claims.revoked).not.toContain(open2);
  });

  it('a full list has only the latest revocations, and states since when it is complete', async () => {
    await issue();
    given.clock.now = new Date(given.clock.now.getTime() + 60_000);
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    const { now } = given.clock;
    const list = await selectRevocations(given.db, { workspaceId, now, limit: 1 });
    expect([list.revoked.length, list.since]).toEqual([1, now]);
  });

  it('the list leaves out purchases that were never activated', async () => {
    const before = await selectRevocations(given.db, { workspaceId, now: given.clock.now });
    await client.send('POST', `/purchases/${purchaseId}/refund`);
    const after = await selectRevocations(given.db, { workspaceId, now: given.clock.now });
    expect(after.revoked).toEqual(before.revoked);
  });

  it('the list is cacheable; an unknown workspace is answered like a workspace without keys', async () => {
    const list = await given.app.inject({ url: `/.well-known/revocations/${workspaceId}.jwt` });
    expect(list.headers).toMatchObject({
      'content-type': expect.stringContaining('application/jwt'),
      'cache-control': 'public, max-age=300',
    });
    const empty = await given.workspace();
    for (const name of ['jwks/ID.json', 'revocations/ID.jwt']) {
      const answers = await Promise.all(
        [empty, 999_999n].map((id) =>
          given.app.inject({ url: `/.well-known/${name.replace('ID', String(id))}` }),
        ),
      );
      const [a, b] = answers.map(({ statusCode, body }) => [statusCode, body.replace(/req_[\w-]+/, '')]);
      expect(a).toEqual(b);
      expect(answers[0]?.json().code).toBe('signing_key_not_found');
    }
    const malformed = await given.app.inject({ url: '/.well-known/jwks/abc.json' });
    expect(malformed.statusCode).toBe(400);
  });
});
