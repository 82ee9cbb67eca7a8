// Signed and encrypted callbacks, tested with the documented test vectors and with the running service.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callbackHeaders } from '../../../services/wallet/server/test/environment/callbacks.ts';
import { type Given, givenWallet } from '../../../services/wallet/server/test/environment/given.ts';
import { deriveKeys } from '../src/callback-keys.ts';
import { CallbackError, createCallbackSecurity } from '../src/index.ts';
import { encrypt } from '../src/jwe.ts';

const page = readFileSync(new URL('../../../docs/guide/callbacks.md', import.meta.url), 'utf8');
const vectors = JSON.parse(/^```json vectors\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '');
const at = (unix: number) => () => new Date(unix * 1000);
const known = createCallbackSecurity({ aesKey: vectors.aes_key, now: at(vectors.unix) });

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof CallbackError ? error.code : error),
  );

describe('the documented test vectors', () => {
  it('the documented test vectors have the signatures that the client makes', async () => {
    const { request, answer } = vectors;
    expect(await known.signRequest(request)).toBe(request.x_signature);
    expect(await known.signAnswer(answer)).toBe(answer.x_signature);
    await known.verifyRequest({ ...request, signature: request.x_signature });
    await known.verifyAnswer({ ...answer, signature: answer.x_signature });
    const path = `${request.path}?a=1`;
    await known.verifyRequest({ ...request, path, signature: request.x_signature });
  });

  it('the client decrypts the documented JWE and a JWE that the client has encrypted', async () => {
    const { encrypted, unix } = vectors;
    expect(await known.decryptBody(encrypted.jwe)).toEqual(JSON.parse(encrypted.payload));
    const jwe = await known.encryptBody({ action: 'balance', player_id: 'é' });
    const payload = { action: 'balance', player_id: 'é', iat: unix };
    expect(await known.decryptBody(new TextEncoder().encode(jwe))).toEqual(payload);
    expect(await known.encryptBody({})).not.toBe(await known.encryptBody({}));
  });
});

it.each(['[1]', 'null', '"text"', 'no JSON'])('a decrypted body is refused if it is %s', async (text) => {
  const keys = await deriveKeys(vectors.aes_key);
  expect(await codeOf(known.decryptBody(await encrypt(keys.encrypt, text)))).toBe('not_json');
});

describe('a callback', () => {
  const { request, answer, encrypted, unix } = vectors;
  const signed = { ...request, signature: request.x_signature };

  it.each([
    ['a changed body', { ...signed, body: `${request.body} ` }],
    ['a changed path', { ...signed, path: '/api/v1/game/callbacks' }],
    ['a changed method', { ...signed, method: 'PUT' }],
    ["an answer's signature", { ...signed, signature: answer.x_signature }],
    ['a changed time', { ...signed, signature: signed.signature.replace('t=1', 't=2') }],
    ['no signature', { ...signed, signature: undefined }],
    ['a longer signature', { ...signed, signature: `${signed.signature}00` }],
  ])('a callback with %s is refused', async (_title, forged) => {
    expect(await codeOf(known.verifyRequest(forged))).toBe('signature_invalid');
  });

  it('an answer is refused if its status was changed', async () => {
    const forged = { ...answer, status: 201, signature: answer.x_signature };
    expect(await codeOf(known.verifyAnswer(forged))).toBe('signature_invalid');
  });

  it.each([299, 300, 301, -300, -301])(
    'a callback is refused only if its time differs from the clock by more than 300 s: %i s',
    async (seconds) => {
      const { aes_key: aesKey } = vectors;
      const later = createCallbackSecurity({ aesKey, now: at(unix + seconds) });
      const expected = Math.abs(seconds) > 300 ? 'timestamp_out_of_range' : 'none';
      expect(await codeOf(later.verifyRequest(signed))).toBe(expected);
      expect(await codeOf(later.decryptBody(encrypted.jwe))).toBe(expected);
    },
  );

  it('a callback is refused if any character of its JWE was changed', async () => {
    const { jwe } = encrypted as { jwe: string };
    const forged = [...jwe].map(
      (each, index) => jwe.slice(0, index) + (each === 'A' ? 'B' : 'A') + jwe.slice(index + 1),
    );
    const codes = await Promise.all(forged.map((each) => codeOf(known.decryptBody(each))));
    expect(new Set(codes)).toEqual(new Set(['signature_invalid']));
    for (const each of ['', 'a.b.c', `${jwe}=`, `${jwe}.`, jwe.replace('..', '.AA.')]) {
      expect(await codeOf(known.decryptBody(each))).toBe('signature_invalid');
    }
  });

  it('a callback with an unknown key is refused; the previous key of a rotation is accepted', async () => {
    const other = Buffer.alloc(32, 7).toString('base64');
    const now = at(unix);
    const fresh = createCallbackSecurity({ aesKey: other, now });
    expect(await codeOf(fresh.verifyRequest(signed))).toBe('signature_invalid');
    expect(await codeOf(fresh.decryptBody(encrypted.jwe))).toBe('signature_invalid');
    const both = createCallbackSecurity({ aesKey: [other, vectors.aes_key], now });
    expect(await codeOf(both.verifyRequest(signed))).toBe('none');
    expect(await codeOf(both.decryptBody(encrypted.jwe))).toBe('none');
    expect(await both.signRequest(request)).toBe(await fresh.signRequest(request));
    const short = createCallbackSecurity({ aesKey: 'AAEC' });
    await expect(short.signRequest(request)).rejects.toThrow(/^An AES key is base64/);
  });
});

describe('a callback to the running service', () => {
  let given: Given;
  let url: string;
  beforeAll(async () => {
    given = await givenWallet();
    url = await given.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => given.close());

  const path = '/api/v1/game/callback';
  const bet = (player: string) => ({
    action: 'bet',
    player_id: player,
    transaction_id: 'b-1',
    amount: '1.50',
  });

  it('a callback is applied if its signature is valid, and gets a signed answer', async () => {
    const owner = await given.package({ callbackSecurity: 'signed' });
    const player = await given.player(owner, { balance: '5.00' });
    const security = createCallbackSecurity({ ...owner, now: () => given.clock.now });
    const body = JSON.stringify(bet(player));
    const signature = await security.signRequest({ method: 'POST', path, body });
    const headers = { ...callbackHeaders(owner), 'x-signature': signature };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    const text = await answer.text();
    const back = { status: answer.status, body: text };
    await security.verifyAnswer({ ...back, signature: answer.headers.get('x-signature') });
    expect(JSON.parse(text)).toMatchObject({ status: 'success', balance: 3.5 });
  });

  it('an encrypted callback is applied, and gets an encrypted answer', async () => {
    const owner = await given.package({ callbackSecurity: 'encrypted' });
    const player = await given.player(owner, { balance: '5.00' });
    const security = createCallbackSecurity({ ...owner, now: () => given.clock.now });
    const body = await security.encryptBody(bet(player));
    const headers = { ...callbackHeaders(owner), 'content-type': 'application/jose' };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    const payload = await security.decryptBody(await answer.text());
    expect(payload).toMatchObject({ status: 'success', balance: 3.5 });
  });
});
