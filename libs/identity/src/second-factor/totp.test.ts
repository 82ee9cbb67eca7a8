// One-time codes follow RFC 6238, are valid in their time step and the two steps next to it, and can be used
// once.
import { describe, expect, it } from 'vitest';
import { findTotpStep, makeTotpSecret, toBase32, totpCode, totpStepAt, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('totp', () => {
  // These are the codes for SHA-1 in RFC 6238, appendix B. In the RFC each code has eight digits; the first
  // two digits are left out here.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('totp returns the code that RFC 6238 lists for the time %i s', (seconds, code) => {
    expect(totpCode(secret, totpStepAt(new Date(seconds * 1000)))).toBe(code);
  });

  it('totp creates different secrets of 160 bits', () => {
    expect(makeTotpSecret()).toHaveLength(20);
    expect(makeTotpSecret().equals(makeTotpSecret())).toBe(false);
  });

  it('totp accepts only the codes of the current, previous and next time step', () => {
    const time = new Date('2026-03-01T12:00:10Z');
    const now = totpStepAt(time);
    const found = [-2n, -1n, 0n, 1n, 2n].map((drift) =>
      findTotpStep(secret, { code: totpCode(secret, now + drift), time, after: null }),
    );
    expect(found).toEqual([undefined, now - 1n, now, now + 1n, undefined]);
  });

  it('totp refuses the codes of the last used time step and of earlier steps', () => {
    const time = new Date('2026-03-01T12:00:10Z');
    const now = totpStepAt(time);
    const find = (step: bigint) => findTotpStep(secret, { code: totpCode(secret, step), time, after: now });
    expect([find(now - 1n), find(now), find(now + 1n)]).toEqual([undefined, undefined, now + 1n]);
  });

  it('totp refuses codes that do not have six digits', () => {
    const time = new Date(59_000);
    for (const code of ['', '28708', '2870820', '94287082']) {
      expect(findTotpStep(secret, { code, time, after: null })).toBeUndefined();
    }
  });

  it('totp writes base32 as RFC 4648 does, without padding', () => {
    const written = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      toBase32(Buffer.from(text)),
    );
    expect(written).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
  });

  it('totp escapes issuer and account in the URL of the QR code', () => {
    const uri = totpUri({ secret, issuer: 'Desk & Co', account: 'a+b@example.com' });
    const url = new URL(uri);
    expect(uri.startsWith('otpauth://totp/Desk%20%26%20Co:a%2Bb%40example.com?')).toBe(true);
    expect(url.searchParams.get('secret')).toBe(toBase32(secret));
    expect(url.searchParams.get('issuer')).toBe('Desk & Co');
  });
});
