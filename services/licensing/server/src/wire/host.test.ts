// All spellings of a host are normalised to one name, and local, private and staging hosts occupy no seat.
import { expect, it } from 'vitest';
import { isFreeHost, normaliseHost } from './host.ts';

it.each([
  ['shop.example'],
  ['SHOP.Example'],
  ['www.shop.example'],
  ['shop.example.'],
  ['WWW.shop.example.:443'],
  ['https://shop.example/'],
  ['http://www.shop.example:8080/wp-admin/?a=b#c'],
  ['//shop.example/path'],
  ['https://user:secret@shop.example/'],
  ['  shop.example  '],
  ['ｓｈｏｐ．example'],
  ['shop。example'],
  ['https:\\\\shop.example\\a'],
  ['\\\\shop.example'],
])('the host %s is normalised to shop.example', (given) => {
  expect(normaliseHost(given)).toBe('shop.example');
});

it.each([
  ['https://Bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['www.com', 'www.com'],
  ['www.www.example', 'www.example'],
  ['wwwshop.example', 'wwwshop.example'],
  ['0x7f.1', '127.0.0.1'],
  ['[2001:DB8::0:1]:8080', '2001:db8::1'],
  ['2001:db8:0::1', '2001:db8::1'],
  ['localhost:3000', 'localhost'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['[::ffff:7f00:1]', '127.0.0.1'],
  ['my_shop.example', 'my_shop.example'],
])('the host %s is normalised to %s', (given, host) => {
  expect(normaliseHost(given)).toBe(host);
});

it.each([
  [''],
  ['https://'],
  ['null'],
  ['undefined'],
  ['.'],
  ['..'],
  ['a..b'],
  ['-a.example'],
  ['shop example'],
  ['shop.example%00'],
  ['[::1'],
  ['[fe80::1%25eth0]'],
  ['a:b:c'],
  ['\u0000'],
  ['\ud800.example'],
  ['1.2.3.4.5.6.7.999999'],
  [`${'a'.repeat(64)}.example`],
  [`${'a.'.repeat(130)}example`],
  ['x'.repeat(5000)],
])('the host %j is refused', (given) => {
  expect(normaliseHost(given)).toBeUndefined();
});

it.each([
  ['localhost'],
  ['myshop'],
  ['shop.local'],
  ['shop.test'],
  ['a.b.localhost'],
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['172.31.0.1'],
  ['192.168.1.1'],
  ['::1'],
  ['fd00::1'],
  ['fe80::1'],
  ['staging.shop.example'],
  ['staging2.shop.example'],
  ['staging.shop.co.uk'],
  ['dev.shop.example'],
  ['test.shop.example'],
  ['abc.ngrok.io'],
  ['abc.ngrok-free.app'],
])('the host %s occupies no seat', (host) => {
  expect(isFreeHost(host)).toBe(true);
});

it.each([
  ['shop.example'],
  ['test.com'],
  ['test.co.uk'],
  ['dev.com.au'],
  ['dev.to'],
  ['staging.io'],
  ['ngrok.io'],
  ['contest.shop.example'],
  ['testimony.shop.example'],
  ['mylocal.shop.example'],
  ['shop.test.example'],
  ['172.32.0.1'],
  ['8.8.8.8'],
  ['2001:db8::1'],
])('the host %s occupies a seat', (host) => {
  expect(isFreeHost(host)).toBe(false);
});
