// 5 million random amounts are unchanged after they were written to JSON and read back.
import { expect, it } from 'vitest';
import { countDiffering } from './testing/money-round-trips.ts';

it('5 million random amounts are unchanged after writing and reading JSON', () => {
  expect(countDiffering(5_000_000)).toBe(0);
});
