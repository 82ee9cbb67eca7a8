// A launch URL of a provider is accepted only if it is a valid http or https URL of an allowed host.
import { expect, it } from 'vitest';
import { parseLaunchUrl } from './read-answer.ts';

const hosts = new Set(['play.example', '127.0.0.1', 'only.example:8443']);

it.each([
  'https://play.example/g?token=1',
  'http://127.0.0.1:4300/play/x',
  'https://PLAY.example/',
  'https://only.example:8443/',
])('the launch URL %s is accepted', (url) => {
  expect(parseLaunchUrl(url, hosts)).toBe(new URL(url).href);
});

it.each(
  [
    'https://evil.example/',
    'https://only.example/',
    'https://play.example.evil.example/',
    'https://play.example@evil.example/',
    'https://user@play.example/',
    'https://evil.example\\@play.example/',
    'javascript:alert(1)//play.example',
    'ftp://play.example/',
    '//play.example/',
    'https://play.example/a b',
    'https://play.example/\u0000',
    'https://play.example/ä',
    `https://play.example/${'x'.repeat(2048)}`,
    '',
    7,
    null,
    undefined,
    ['https://play.example/'],
  ].map((value) => [value]),
)('the launch URL %j is refused', (url) => {
  expect(parseLaunchUrl(url, hosts)).toBeUndefined();
});
