// An answer has an RFC 9421 signature if the request has a nonce. All other answers have no signature.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allScopes } from '../../src/authentication/api-key.ts';
import { type Given, givenLicensing } from '../environment/given.ts';

const nonce = 'abcdefghijklmnop-1';
let given: Given;
let workspaceId: bigint;
let key: string;
let code: string;
let refunded: string;

beforeAll(async () => {
  given = await givenLicensing();
  workspaceId = await given.workspace();
  const itemId = await given.item(workspaceId);
  key = await given.apiKey(workspaceId, { scopes: allScopes });
  ({ code } = await given.purchase(workspaceId, itemId));
  ({ code: refunded } = await given.purchase(workspaceId, itemId, { state: 'refunded' }));
  await post('/api/v1/signing-keys/rotate', {});
});
afterAll(() => given.close());

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  given.app.inject({ method: 'POST', url, payload, headers: { 'x-api-key': key, ...headers } });
type Response = Awaited<ReturnType<typeof post>>;

const validate = (headers: Record<string, string> = {}, purchase_code = code) =>
  post('/api/purchases/validation', { purchase_code }, headers);

/** Verifies an answer in the way in which RFC 9421 describes it. */
async function isSigned({ headers, statusCode, body }: Response, sent = nonce): Promise<boolean> {
  const input = String(headers['signature-input']).replace(/^sig=/, '');
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const content =
    `"@status": ${statusCode}\n"content-digest": ${digest}\n"x-nonce";req: ${sent}\n` +
    `"@signature-params": ${input}`;
  const { keys } = (await given.app.inject({ url: `/.well-known/jwks/${workspaceId}.json` })).json();
  const jwk = keys.find(({ kid }: { kid: string }) => input.includes(`keyid="${kid}"`));
  const signature = Buffer.from(String(headers.signature).slice(5, -1), 'base64');
  expect(headers['content-digest']).toBe(digest);
  return verify(null, Buffer.from(content), createPublicKey({ key: jwk, format: 'jwk' }), signature);
}

describe('an answer to a request with a nonce', () => {
  it.each([
    ['a valid code', () => validate({ 'x-nonce': nonce }), 200],
    ['a refunded code', () => validate({ 'x-nonce': nonce }, refunded), 404],
    ['a malformed code', () => validate({ 'x-nonce': nonce }, ''), 400],
    [
      'an activation',
      () => post('/api/v1/activations', { purchase_code: code, domain: 'a.example' }, { 'x-nonce': nonce }),
      200,
    ],
    [
      'an activation beyond the limit',
      () => post('/api/v1/activations', { purchase_code: code, domain: 'b.example' }, { 'x-nonce': nonce }),
      409,
    ],
    [
      'a licence',
      () => post('/api/v1/licences', { purchase_code: code, domain: 'a.example' }, { 'x-nonce': nonce }),
      200,
    ],
  ])('the answer about %s is signed', async (_title, send, status) => {
    const answer = await send();
    expect(answer.statusCode, answer.body).toBe(status);
    expect(await isSigned(answer)).toBe(true);
    expect(await isSigned(answer, 'another-nonce-0123')).toBe(false);
    const created = Math.floor(given.clock.now.getTime() / 1000);
    expect(answer.headers['signature-input']).toMatch(
      new RegExp(
        `^sig=\\("@status" "content-digest" "x-nonce";req\\);created=${created};keyid="[\\w-]{43}";` +
          'alg="ed25519";tag="counterfoil-answer"$',
      ),
    );
  });

  it('a signed answer has the same body as an unsigned answer to a request without a nonce', async () => {
    expect((await validate({ 'x-nonce': nonce })).body).toBe((await validate()).body);
  });

  it('the answer to a wrong key is not signed, because no workspace is known', async () => {
    const answer = await validate({ 'x-nonce': nonce, 'x-api-key': 'ck_pub_wrong' });
    expect([answer.statusCode, answer.headers.signature]).toEqual([401, undefined]);
  });

  it('the answer is not signed if the workspace has no signing key', async () => {
    const other = await given.workspace();
    const purchase = await given.purchase(other, await given.item(other));
    const headers = { 'x-nonce': nonce, 'x-api-key': await given.apiKey(other) };
    const answer = await validate(headers, purchase.code);
    expect([answer.statusCode, answer.headers.signature]).toEqual([200, undefined]);
  });

  it.each(['short', 'x'.repeat(129), 'a nonce with spaces', 'größer-als-sechzehn', ''])(
    'a request with the invalid nonce %j gets 400',
    async (wrong) => {
      const answer = await validate({ 'x-nonce': wrong });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_parameter']);
      expect(answer.json().errors).toHaveProperty('x-nonce');
      expect(answer.headers.signature).toBeUndefined();
    },
  );

  it('the answer exposes its signature to a page of another site', async () => {
    const origin = { origin: 'https://shop.example' };
    const signed = await validate({ 'x-nonce': nonce, ...origin });
    expect(signed.headers['access-control-expose-headers']).toContain('signature-input');
    const plain = await validate(origin);
    expect(plain.headers['access-control-expose-headers']).toBe('retry-after, x-request-id');
  });
});

describe('an answer to a request without a nonce', () => {
  it('the answer has no signature header, whether the key is in one header or in two', async () => {
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const names = Object.keys((await validate(headers)).headers);
      expect(names.filter((name) => /signature|digest/.test(name))).toEqual([]);
    }
  });
});
