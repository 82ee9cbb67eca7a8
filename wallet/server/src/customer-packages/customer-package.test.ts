// The Origin rule: which hosts a package's whitelist lets through.
import { describe, expect, it } from 'vitest';
import { isOriginAllowed } from './customer-package.ts';

const domains = ['play.example', '*.shop.example'];

describe('isOriginAllowed', () => {
  it.each([
    'https://play.example',
    'http://play.example:8080',
    'HTTPS://PLAY.EXAMPLE',
    'app://play.example',
    'https://eu.shop.example',
    'https://a.b.shop.example:1',
  ])('lets %s through', (origin) => {
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
  ])('refuses %j', (origin) => {
    expect(isOriginAllowed(origin, domains)).toBe(false);
  });

  it('refuses every host of a package without domains', () => {
    expect(isOriginAllowed('https://play.example', [])).toBe(false);
  });
});
