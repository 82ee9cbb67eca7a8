// The ledger's filters: whole days of UTC, and nothing that is no day.
import { expect, it } from 'vitest';
import { readLedgerFilters } from './ledger-filters.ts';

it('the first day counts from its beginning, the last to its end', () => {
  expect(readLedgerFilters({ from: '2026-03-01', to: '2026-03-01', kind: 'bet' })).toMatchObject({
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    kind: 'bet',
  });
});

it('what is no day is no filter', () => {
  const { from, to } = readLedgerFilters({ from: 'yesterday', to: '2026-13-45' });
  expect([from, to]).toEqual([undefined, undefined]);
});
