// The columns of a file are found whatever stands between them.
import { expect, it } from 'vitest';
import { findExample, guessMap, parseHeading } from './read-heading.ts';

it.each([
  ['code,item_id\nx,1\n', ',', ['code', 'item_id'], ['x', '1']],
  ['Key;Product;Price\r\nk;1;5,00', ';', ['Key', 'Product', 'Price'], ['k', '1', '5,00']],
  ['\ufeff"a, b"\tc\n', '\t', ['a, b', 'c'], ['']],
])('%j', (text, delimiter, columns, firstRow) => {
  expect(parseHeading(text)).toEqual({ format: 'csv', delimiter, columns, firstRow });
});

it('a code is found under the name that the API gives it', () => {
  expect(guessMap(['Purchase_Code', 'item_id'])).toEqual({ code: 'Purchase_Code' });
  expect(guessMap(['purchase_code', 'code'])).toEqual({});
});

it('a licence is found in British spelling too', () => {
  expect(guessMap(['code', 'Licence_Type'])).toEqual({ license_type: 'Licence_Type' });
});

it('a field without a column has no example, even if a column has no heading', () => {
  const heading = parseHeading('code,item_id,\nq6,1,zz\n');
  expect(findExample(heading, 'item_id')).toBe('1');
  expect(findExample(heading, undefined)).toBe('');
});
