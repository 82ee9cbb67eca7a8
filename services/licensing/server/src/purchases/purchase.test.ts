// Adding months keeps the day of the month, or uses the last day of a shorter month. The result is never
// later than the year 9998.
import { expect, it } from 'vitest';
import { addMonths } from './purchase.ts';

it.each([
  ['2026-05-04T10:00:00Z', 6, '2026-11-04T10:00:00Z'],
  ['2026-08-31T10:00:00Z', 6, '2027-02-28T10:00:00Z'],
  ['2023-08-31T23:59:59Z', 6, '2024-02-29T23:59:59Z'],
  ['2026-01-31T00:00:00Z', 1, '2026-02-28T00:00:00Z'],
  ['2026-12-15T00:00:00Z', 120, '2036-12-15T00:00:00Z'],
  ['9998-06-15T00:00:00Z', 12, '9998-12-31T23:59:59Z'],
])('the date %s plus %i months is %s', (from, months, end) => {
  expect(addMonths(new Date(from), months)).toEqual(new Date(end));
});
