// The columns of a file are found whatever stands between them.
import { expect, it } from 'vitest';
import { parseHeading } from './read-heading.ts';

it.each([
  ['code,item_id\nx,1\n', ',', ['code', 'item_id'], ['x', '1']],
  ['Key;Product;Price\r\nk;1;5,00', ';', ['Key', 'Product', 'Price'], ['k', '1', '5,00']],
  ['\ufeff"a, b"\tc\n', '\t', ['a, b', 'c'], ['']],
])('%j', (text, delimiter, columns, firstRow) => {
  expect(parseHeading(text)).toEqual({ format: 'csv', delimiter, columns, firstRow });
});
