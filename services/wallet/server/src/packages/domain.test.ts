// Valid entries of a whitelist and an address list, and their normal form.
import { BlockList, isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isOriginAllowed } from './customer-package.ts';
import { parseAddress, parseDomain } from './domain.ts';

describe('parseDomain', () => {
  it.each([
    ['play.example', 'play.example'],
    [' PLAY.Example ', 'play.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['*.shop.example', '*.shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a_b.example', 'a_b.example'],
  ])('the domain %s is stored as %s, and allows its own origin', (text, stored) => {
    expect(parseDomain(text)).toBe(stored);
    const host = stored.replace('*', 'eu');
    expect(isOriginAllowed(`https://${host}:8443`, [stored])).toBe(true);
  });

  it.each([
    '',
    '*',
    '*.',
    '*.com',
    '**.a.example',
    'a.*.example',
    '.example',
    'example.',
    'a..example',
    'https://a.example',
    'a.example:80',
    'a.example/x',
    'u@a.example',
    'a b.example',
    'a%2e.example',
    '-a.example',
    'a-.example',
    '0x7f.1',
    '127.1',
    '*.127.0.0.1',
    '[::1]',
    'null\u0000',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
  ])('the domain %j is invalid', (text) => {
    expect(parseDomain(text)).toBeUndefined();
  });
});

describe('parseAddress', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::1', '::1'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
  ])("the address %s is stored as %s, which Node's BlockList accepts", (text, stored) => {
    expect(parseAddress(text)).toBe(stored);
    const [network = '', bits] = stored.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    const list = new BlockList();
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
    expect(list.check(network, family)).toBe(true);
  });

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.1/33',
    '10.0.0.1/',
    '10.0.0.1/08',
    '10.0.0.1/8/8',
    '10.0.0.1/-1',
    '10.0.0.1-10.0.0.9',
    '::1/129',
    '::ffff:10.0.0.0/104',
    'fe80::1%eth0',
    'localhost',
  ])('the address %j is invalid', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
