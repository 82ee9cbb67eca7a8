// The test vectors and error codes in docs/guide/callbacks.md match the service.
import { createHmac, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { compactDecrypt } from 'jose';
import { expect, it } from 'vitest';
import { deriveCallbackKeys } from '../../src/callbacks/security/callback-keys.ts';
import { decryptBody } from '../../src/callbacks/security/encryption.ts';
import { signAnswer, signRequest, verifyRequest } from '../../src/callbacks/security/signature.ts';
import { errors } from '../../src/errors.ts';

const page = readFileSync(new URL('../../../../../docs/guide/callbacks.md', import.meta.url), 'utf8');
const vectors = JSON.parse(/```json vectors\n([\s\S]*?)```/.exec(page)?.[1] ?? 'null');
const keys = deriveCallbackKeys(vectors.aes_key);
const { unix, request, answer, encrypted } = vectors;

it("the service and Node's HKDF both derive the documented keys", () => {
  expect(keys.sign.toString('hex')).toBe(vectors.sign_key);
  expect(keys.encrypt.toString('hex')).toBe(vectors.encrypt_key);
  const aesKey = Buffer.from(vectors.aes_key, 'base64');
  const byHand = hkdfSync('sha256', aesKey, '', 'counterfoil/v1/sign', 32);
  expect(Buffer.from(byHand).toString('hex')).toBe(vectors.sign_key);
});

it('the documented request has the documented signature, and a changed body is refused', () => {
  const { method, path } = request;
  const body = Buffer.from(request.body);
  expect(signRequest(keys.sign, { unix, method, path, body })).toBe(request.x_signature);
  const given = { signature: request.x_signature, method, path, body, nowSeconds: unix };
  expect(verifyRequest([keys], given)).toEqual({ keys });
  const other = { ...given, body: Buffer.from(request.body.replace('1.5', '2.5')) };
  expect(verifyRequest([keys], other)).toEqual({ fault: 'signature_invalid' });
});

it('the documented answer has the documented signature', () => {
  const { status } = answer;
  const body = Buffer.from(answer.body);
  expect(signAnswer(keys.sign, { unix, status, body })).toBe(answer.x_signature);
  const mac = createHmac('sha256', keys.sign).update(`${unix}.${status}.`).update(body);
  expect(answer.x_signature).toBe(`t=${unix},v1=${mac.digest('hex')}`);
});

it('the documented JWE decrypts to the documented payload', async () => {
  const { plaintext } = await compactDecrypt(encrypted.jwe, keys.encrypt);
  expect(Buffer.from(plaintext).toString('utf8')).toBe(encrypted.payload);
  const opened = await decryptBody([keys], Buffer.from(encrypted.jwe));
  expect(opened?.plain.toString('utf8')).toBe(encrypted.payload);
});

it('the guide names only codes of the error table, each with its status', () => {
  const answered = page.slice(page.indexOf('## Answers'), page.indexOf('## Signed'));
  const known: Record<string, { status: number }> = errors.table;
  const named = [...answered.matchAll(/\b(4\d\d|503) ((?:`[a-z_]+`[^`|;0-9.(\n]*)+)/g)].flatMap(
    ([, status, codes = '']) =>
      [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => [code, Number(status)] as const),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const [code = '', status] of named) {
    expect([code, known[code]?.status]).toEqual([code, status]);
  }
});
