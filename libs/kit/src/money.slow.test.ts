// Money survives JSON exactly, for 5 million amounts.
import { expect, it } from 'vitest';
import { countDiffering } from './testing/money-round-trips.ts';

it('5 million random amounts come back exactly through JSON', () => {
  expect(countDiffering(5_000_000)).toBe(0);
});
