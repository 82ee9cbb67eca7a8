// The delimiter, the columns and an example value of each field are read from the first lines of a file.
import { expect, it } from 'vitest';
import { findExample, guessMap, parseHeading } from './read-heading.ts';

it.each([
  ['code,item_id\nx,1\n', ',', ['code', 'item_id'], ['x', '1']],
  ['Key;Product;Price\r\nk;1;5,00', ';', ['Key', 'Product', 'Price'], ['k', '1', '5,00']],
  ['\ufeff"a, b"\tc\n', '\t', ['a, b', 'c'], ['']],
])('the delimiter, the columns and the first row of %j are found', (text, delimiter, columns, firstRow) => {
  expect(parseHeading(text)).toEqual({ format: 'csv', delimiter, columns, firstRow });
});

it('the column purchase_code is mapped to the field code, unless the file also has a column code', () => {
  expect(guessMap(['Purchase_Code', 'item_id'])).toEqual({ code: 'Purchase_Code' });
  expect(guessMap(['purchase_code', 'code'])).toEqual({});
});

it('the column licence_type, in British spelling, is mapped to the field license_type', () => {
  expect(guessMap(['code', 'Licence_Type'])).toEqual({ license_type: 'Licence_Type' });
});

it('a field without a column has no example, even if the file has a column without a heading', () => {
  const heading = parseHeading('code,item_id,\nq6,1,zz\n');
  expect(findExample(heading, 'item_id')).toBe('1');
  expect(findExample(heading, undefined)).toBe('');
});
