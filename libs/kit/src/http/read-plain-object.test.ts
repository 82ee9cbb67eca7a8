// `readPlainObject` reads plain JSON objects and leaves all other bodies to the router.
import { expect, test } from 'vitest';
import { quoteText, readPlainObject } from './read-json.ts';

const read = (text: string | Buffer) => readPlainObject(typeof text === 'string' ? Buffer.from(text) : text);

test('readPlainObject reads a plain object', () => {
  expect(read('{"a":"b c","n":1.5,"deep":{"x":[null,true]}}')).toEqual({
    a: 'b c',
    n: 1.5,
    deep: { x: [null, true] },
  });
});

test.each([
  ['an empty body', ''],
  ['broken JSON', '{"a":'],
  ['an array', '[]'],
  ['a number', '5'],
  ['null', 'null'],
  ['an escape', '{"a":"\\u0041"}'],
  ['an escaped quote', '{"a":"\\""}'],
  ['a letter beyond ASCII', '{"a":"ü"}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['a delete character', '{"a":"\x7f"}'],
  ['a raw control character', '{"a":"\x01"}'],
  ['a field called __proto__', '{"__proto__":{}}'],
  ['a field called constructor', '{"constructor":{"prototype":{}}}'],
])('readPlainObject leaves %s to the router', (_name, text) => {
  expect(read(text)).toBeUndefined();
});

test.each(['', 'plain', 'a"b', 'a\\b', 'a\nb', 'a\u0000b', 'Zoë €', '💰', '\ud800', '\u2028', '\x7f'])(
  'quoteText quotes %j like JSON.stringify',
  (text) => {
    expect(quoteText(text)).toBe(JSON.stringify(text));
  },
);
