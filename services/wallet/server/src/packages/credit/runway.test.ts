// The runway: how long credit lasts at the pace of late.
import { describe, expect, it } from 'vitest';
import { findRunwayHours } from './runway.ts';

const day = 86_400_000;

describe('the runway', () => {
  it('what is left, divided by what went per hour', () => {
    expect(findRunwayHours(900n, { spent: 2400n, overMs: day })).toBe(9);
    expect(findRunwayHours(950n, { spent: 2400n, overMs: day })).toBe(9.5);
    expect(findRunwayHours(100n, { spent: 100n, overMs: day / 24 })).toBe(1);
  });

  it('is never longer than it holds: it rounds down', () => {
    expect(findRunwayHours(999n, { spent: 2400n, overMs: day })).toBe(9.9);
  });

  it('is nothing where nothing is left, and unknown where nothing goes', () => {
    expect(findRunwayHours(0n, { spent: 5n, overMs: day })).toBe(0);
    expect(findRunwayHours(-5n, { spent: 5n, overMs: day })).toBe(0);
    expect(findRunwayHours(5n, { spent: 0n, overMs: day })).toBeUndefined();
    expect(findRunwayHours(5n, { spent: -5n, overMs: day })).toBeUndefined();
    expect(findRunwayHours(10n ** 15n, { spent: 1n, overMs: day })).toBeUndefined();
  });
});
