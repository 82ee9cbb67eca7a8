// Unknown columns are reported with the known name that they resemble.
import { expect, it } from 'vitest';
import { findNearest, maxCountedColumns, UnknownColumns } from './unknown-columns.ts';

const known = ['code', 'item_id', 'price', 'date', 'supported_until', 'buyer_email', 'license_type'];

it.each([
  ['pirce', 'price'],
  ['License Type', 'license_type'],
  ['Buyer E-Mail', 'buyer_email'],
  ['email', 'buyer_email'],
  ['Purchase Date', 'date'],
  ['supported_untill', 'supported_until'],
  ['ItemID', 'item_id'],
  ['emial', 'buyer_email'],
  ['note', undefined],
  ['referrer', undefined],
  ['x', undefined],
  ['?!', undefined],
])('for the unknown column %s, the suggested field is %s', (column, nearest) => {
  expect(findNearest(column, known)).toBe(nearest);
});

it('each unknown column is reported once, up to 50 columns; an ignored column is not reported', () => {
  const columns = new UnknownColumns(known, ['fees ($)']);
  for (let i = 0; i < 200; i++) columns.add(`column ${i % 100}`);
  columns.add('Fees ($)');
  expect(columns.list()).toHaveLength(50);
  expect(columns.count).toBe(100);
  const own = new UnknownColumns(known, ['fees ($)']);
  own.add('Fees ($)');
  own.add(`a\u0000${'b'.repeat(200)}`);
  expect(own.list()).toEqual([{ column: `a\ufffd${'b'.repeat(98)}`, nearest: undefined }]);
});

it('a column without a heading is reported by its position', () => {
  const columns = new UnknownColumns(known);
  columns.add('', { position: 5 });
  columns.add('', { position: 7 });
  columns.add('', { position: 5 });
  columns.add('');
  expect(columns.list()).toEqual([
    { column: '', position: 5, nearest: undefined },
    { column: '', position: 7, nearest: undefined },
    { column: '', nearest: undefined },
  ]);
});

it('at most 10,000 unknown columns are counted', () => {
  const columns = new UnknownColumns([]);
  for (let i = 0; i < maxCountedColumns + 5; i++) columns.add(`column ${i}`);
  expect(columns.count).toBe(10_000);
});
