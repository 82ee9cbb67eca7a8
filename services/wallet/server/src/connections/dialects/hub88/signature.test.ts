// The requests that count as signed by the provider, and those that count as forged.
import { createPublicKey, createSign, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProviderRequest, Secrets } from '../dialect.ts';
import {
  checkSignature,
  createKeyCache,
  findSignatureHeader,
  signBody,
  signWalletRequest,
} from './signature.ts';

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
const makeKeys = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding });
const keys = makeKeys();
const others = makeKeys();

const content = { user: 'player-1', token: 'gs_1', request_uuid: 'request-1' };
const request = signWalletRequest(keys.privateKey, '/user/balance', content);
const header = 'x-hub88-signature';
const signature = String(request.headers[header]);

const secretsOf = (...pems: string[]): Secrets[] => pems.map((pem) => ({ provider_public_key_pem: pem }));
const kindOf = (given: ProviderRequest, secrets = secretsOf(keys.publicKey), profile = '') =>
  checkSignature(given, secrets, 0, profile).kind;
const withSignature = (given: string | string[] | undefined): ProviderRequest => ({
  ...request,
  headers: { [header]: given },
});

describe('a signature', () => {
  it('a signature is the Base64 of RSA-SHA256 over the body', () => {
    const expected = createSign('RSA-SHA256').update(request.body).sign(keys.privateKey, 'base64');
    expect(signature).toBe(expected);
  });

  it('a signature is accepted if it was made with the key of the provider', () => {
    expect(kindOf(request)).toBe('authentic');
  });

  it('a signature is refused if it was made with a key that is not the provider’s', () => {
    const forged = signWalletRequest(others.privateKey, '/user/balance', content);
    expect(kindOf(forged)).toBe('forged');
  });

  it('a signature made with the previous key is accepted while both keys are valid', () => {
    expect(kindOf(request, secretsOf(others.publicKey, keys.publicKey))).toBe('authentic');
    expect(kindOf(request, secretsOf(others.publicKey))).toBe('forged');
    expect(kindOf(request, secretsOf(others.publicKey, others.publicKey, keys.publicKey))).toBe('authentic');
  });

  it('a signature is in X-Auth-Signature in the profile caleta, and in X-Hub88-Signature otherwise', () => {
    const caleta = signWalletRequest(keys.privateKey, '/wallet/bet', content, 'caleta');
    expect(findSignatureHeader('caleta')).toBe('x-auth-signature');
    expect(kindOf(caleta, undefined, 'caleta')).toBe('authentic');
    expect(kindOf(caleta)).toBe('forged');
    expect(kindOf(request, undefined, 'caleta')).toBe('forged');
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['in upper case', signature.toUpperCase()],
    ['in lower case', signature.toLowerCase()],
    ['cut off', signature.slice(0, -8)],
    ['too long', `AAAA${signature}`],
    ['followed by a line break', `${signature}\n`],
    ['preceded by a space', ` ${signature}`],
    ['in hex', Buffer.from(signature, 'base64').toString('hex')],
    ['sent twice', `${signature}, ${signature}`],
    ['an array', [signature]],
    ['only padding', '=='],
    ['very long', 'A'.repeat(16_000)],
  ])('a signature is refused if it is %s', (_name, given) => {
    expect(kindOf(withSignature(given))).toBe('forged');
  });

  it('a signature is refused if one bit of any of its bytes was changed', () => {
    for (let at = 0; at < 256; at += 5) {
      const bytes = Buffer.from(signature, 'base64');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(kindOf(withSignature(bytes.toString('base64')))).toBe('forged');
    }
  });

  it('a signature is refused after any byte of the body was changed', () => {
    for (let at = 0; at < request.body.length; at++) {
      const body = Buffer.from(request.body);
      body.writeUInt8(body.readUInt8(at) ^ 1, at);
      expect(kindOf({ ...request, body })).toBe('forged');
    }
  });

  it.each([
    ['a different order of fields', '{"token":"gs_1","user":"player-1","request_uuid":"request-1"}'],
    ['an escaped character', '{"user":"player\\u002d1","token":"gs_1","request_uuid":"request-1"}'],
    ['a space', '{"user": "player-1","token":"gs_1","request_uuid":"request-1"}'],
  ])('a signature covers the raw bytes: it is refused if the same JSON object has %s', (_name, text) => {
    expect(kindOf({ ...request, body: Buffer.from(text) })).toBe('forged');
    const signed = signWalletRequest(keys.privateKey, '/user/balance', text);
    expect(String(signed.body)).toBe(text);
    expect(kindOf(signed)).toBe('authentic');
  });

  it('a signature is refused if checking it throws an error', () => {
    expect(kindOf({ ...request, body: undefined as unknown as Buffer })).toBe('forged');
  });

  it('a signature covers an empty body and bytes that are not UTF-8', () => {
    for (const body of [Buffer.alloc(0), Buffer.from([0xff, 0x00, 0xc3])]) {
      const headers = { [header]: signBody(keys.privateKey, body) };
      expect(kindOf({ ...request, body, headers })).toBe('authentic');
    }
  });
});

describe('a connection of Hub88', () => {
  it.each([
    ['without keys', []],
    ['with an empty key', secretsOf('')],
    ['with a token but no key', [{ token: 'x' }]],
    [
      'with a text that is no key',
      secretsOf('-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----'),
    ],
  ])('a connection %s accepts no signature, not even when the request is repeated', (_name, secrets) => {
    expect(kindOf(request, secrets)).toBe('forged');
    expect(kindOf(request, secrets)).toBe('forged');
  });

  it('a connection with a key that is not RSA refuses every signature, even one made with this key', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding, privateKeyEncoding });
    const signed = sign('sha256', request.body, ec.privateKey).toString('base64');
    expect(kindOf(withSignature(signed), secretsOf(ec.publicKey))).toBe('forged');
    expect(signBody(ec.privateKey, request.body)).toBeUndefined();
  });

  it('a connection of Hub88 still accepts a signature after a thousand other keys were cached', () => {
    for (let count = 0; count < 1100; count++) kindOf(request, secretsOf(`no key ${count}`));
    expect(kindOf(request)).toBe('authentic');
  });
});

describe('the cache of imported keys', () => {
  const givenCache = (most?: number) => {
    const imported: string[] = [];
    const find = createKeyCache((pem) => {
      imported.push(pem);
      return createPublicKey(pem === 'none' ? pem : keys.publicKey);
    }, most);
    return { find, imported };
  };

  it('the cache of imported keys imports each PEM once, even a text that is not a key', () => {
    const { find, imported } = givenCache();
    for (let times = 0; times < 3; times++) {
      expect(find('a')?.asymmetricKeyType).toBe('rsa');
      expect(find('none')).toBeUndefined();
    }
    expect(imported).toEqual(['a', 'none']);
  });

  it('the cache of imported keys drops its oldest key only when the cache is full', () => {
    const { find, imported } = givenCache(2);
    for (const pem of ['a', 'b', 'a', 'c', 'b', 'c', 'a']) find(pem);
    expect(imported).toEqual(['a', 'b', 'c', 'a']);
  });
});

it('the stand-in provider cannot sign without an RSA private key', () => {
  expect(() => signWalletRequest('no key', '/user/balance', {})).toThrow('no RSA private key');
});
