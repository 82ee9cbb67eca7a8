// The origins that a whitelist allows, the time for which a key pair is live, and the largest bet.
import { describe, expect, it } from 'vitest';
import { checkCurrency, findMaxStake, isLive, isOriginAllowed } from './customer-package.ts';

const domains = ['play.example', '*.shop.example'];

describe('isOriginAllowed', () => {
  it.each([
    'https://play.example',
    'http://play.example:8080',
    'HTTPS://PLAY.EXAMPLE',
    'app://play.example',
    'https://eu.shop.example',
    'https://a.b.shop.example:1',
  ])('isOriginAllowed accepts the origin %s', (origin) => {
    expect(isOriginAllowed(origin, domains)).toBe(true);
  });

  it.each([
    'null',
    '',
    'play.example',
    'https://play.example.evil.example',
    'https://evilplay.example',
    'https://shop.example',
    'https://evilshop.example',
    'https://play.example@evil.example',
    'https://evil.example/play.example',
    'https://evil.example?play.example',
    'https://play.example, https://evil.example',
    'https://',
    'https://[::1',
    'https://play.example\\evil',
    'https://play.example/',
    'app://play.example%',
    'file://play.example:80',
  ])('isOriginAllowed refuses the origin %j', (origin) => {
    expect(isOriginAllowed(origin, domains)).toBe(false);
  });

  it('isOriginAllowed refuses every origin if the package has no domains', () => {
    expect(isOriginAllowed('https://play.example', [])).toBe(false);
  });
});

describe('isLive', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');
  const at = (ms: number) => new Date(now.getTime() + ms);
  it.each([
    ['without an end is live', undefined, undefined, true],
    ['is live until its end', at(1), undefined, true],
    ['is not live at its end', now, undefined, false],
    ['is not live after its end', at(-1), undefined, false],
    ['that is revoked is not live', undefined, at(-1), false],
    ['that is revoked before its end is not live', at(1), at(-1), false],
    ['that was revoked by a process whose clock is ahead is not live', undefined, at(1), false],
    ['that is revoked after its end is not live', at(-2), at(-1), false],
  ])('a pair %s', (_name, expiresAt, revokedAt, live) => {
    const secretHash = Buffer.alloc(32);
    const pair = {
      id: 1n,
      purpose: 'caller',
      apiKey: 'k',
      secretHash,
      expiresAt,
      revokedAt,
    } as const;
    expect(isLive(pair, now)).toBe(live);
  });
});

it('a request is refused only if it names a currency that is not the package’s', () => {
  expect(() => checkCurrency({}, { currency: 'EUR' })).not.toThrow();
  expect(() => checkCurrency({ currency: null }, { currency: 'EUR' })).not.toThrow();
  expect(() => checkCurrency({ currency: 'EUR' }, { currency: 'EUR' })).not.toThrow();
  expect(() => checkCurrency({ currency: 'USD' }, { currency: 'EUR' })).toThrow(
    expect.objectContaining({ code: 'currency_mismatch' }),
  );
});

describe('findMaxStake', () => {
  it.each([
    [undefined, undefined, undefined],
    [5n, undefined, 5n],
    [undefined, 3n, 3n],
    [5n, 3n, 3n],
    [3n, 5n, 3n],
    [4n, 4n, 4n],
  ])(
    'for a package limit of %s and a player limit of %s, the maximum stake is %s',
    (maxStake, own, wanted) => {
      expect(findMaxStake({ maxStake }, { maxStake: own })).toBe(wanted);
    },
  );

  it('findMaxStake returns the limit of the package for an unknown player', () => {
    expect(findMaxStake({ maxStake: 5n }, undefined)).toBe(5n);
    expect(findMaxStake({ maxStake: undefined }, undefined)).toBeUndefined();
  });
});
