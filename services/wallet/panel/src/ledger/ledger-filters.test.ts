// The filters of the ledger cover whole UTC days.
import { expect, it } from 'vitest';
import { readLedgerFilters } from './ledger-filters.ts';

it('the period includes the first and the last day completely', () => {
  expect(readLedgerFilters({ from: '2026-03-01', to: '2026-03-01', kind: 'bet' })).toMatchObject({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    kind: 'bet',
  });
});

it('a filter with a text that is not a day is ignored', () => {
  const { from, to } = readLedgerFilters({ from: 'yesterday', to: '2026-13-45' });
  expect([from, to]).toEqual([undefined, undefined]);
});
