// The requests that count as signed by the provider, and those that count as forged.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '../dialect.ts';
import { checkSignature, signatureHeader, signBody, signWalletRequest } from './signature.ts';

const token = 'token-of-the-connection';
const request = signWalletRequest(token, '/balance', {
  account_id: 'player-1',
  currency: 'EUR',
  game_id: 'dice',
});
const kindOf = (given: ProviderRequest, tokens: readonly string[] = [token]) =>
  checkSignature(
    given,
    tokens.map((each) => ({ token: each })),
  ).kind;
const withSignature = (signature: string | string[] | undefined): ProviderRequest => ({
  ...request,
  headers: { [signatureHeader]: signature },
});
const signature = String(request.headers[signatureHeader]);

describe('a signature', () => {
  it('a signature is the lower-case hex HMAC-SHA256 of the body', () => {
    expect(signature).toBe(createHmac('sha256', token).update(request.body).digest('hex'));
  });

  it('a signature is accepted if it was made with the token', () => {
    expect(kindOf(request)).toBe('authentic');
  });

  it('a signature made with the previous token is accepted while both tokens are valid', () => {
    expect(kindOf(request, ['new token', token])).toBe('authentic');
    expect(kindOf(request, ['new token'])).toBe('forged');
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['in upper case', signature.toUpperCase()],
    ['too short', signature.slice(0, 62)],
    ['too long', `${signature}00`],
    ['followed by a line break', `${signature}\n`],
    ['preceded by a space', ` ${signature}`],
    ['not hex', 'z'.repeat(64)],
    ['64 zeros, which providers accept for demo sessions of browsers', '0'.repeat(64)],
    ['sent twice', `${signature}, ${signature}`],
    ['an array', [signature]],
  ])('a signature is refused if it is %s', (_name, given) => {
    expect(kindOf(withSignature(given))).toBe('forged');
  });

  it('a signature is refused if any one of its digits was changed', () => {
    for (let at = 0; at < signature.length; at++) {
      const digit = signature[at] === '0' ? '1' : '0';
      expect(kindOf(withSignature(signature.slice(0, at) + digit + signature.slice(at + 1)))).toBe('forged');
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
    ['a different order of fields', '{"currency":"EUR","account_id":"player-1","game_id":"dice"}'],
    ['an escaped character', '{"account_id":"player\\u002d1","currency":"EUR","game_id":"dice"}'],
    ['a space', '{"account_id": "player-1","currency":"EUR","game_id":"dice"}'],
  ])('a signature covers the raw bytes: it is refused if the same JSON object has %s', (_name, text) => {
    expect(kindOf({ ...request, body: Buffer.from(text) })).toBe('forged');
    const signed = signWalletRequest(token, '/balance', text);
    expect(String(signed.body)).toBe(text);
    expect(kindOf(signed)).toBe('authentic');
  });

  it('a signature covers an empty body and bytes that are not UTF-8', () => {
    for (const body of [Buffer.alloc(0), Buffer.from([0xff, 0x00, 0xc3])]) {
      const headers = { [signatureHeader]: signBody(token, body) };
      expect(kindOf({ ...request, body, headers })).toBe('authentic');
    }
  });
});

describe('a connection of SoftSwiss', () => {
  it('a connection without a token accepts no signature, not even one made with an empty token', () => {
    const body = request.body;
    const empty = createHmac('sha256', '').update(body).digest('hex');
    const forged = { ...request, headers: { [signatureHeader]: empty } };
    expect(checkSignature(forged, [{ token: '' }, {}]).kind).toBe('forged');
    expect(checkSignature(request, []).kind).toBe('forged');
  });
});
