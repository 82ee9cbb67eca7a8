// The runway: how long credit lasts at the recent spending rate.
import { describe, expect, it } from 'vitest';
import { findRunwayHours } from './runway.ts';

const day = 86_400_000;

describe('the runway', () => {
  it('the runway is the available credit divided by the spending per hour', () => {
    expect(findRunwayHours(900n, { spent: 2400n, overMs: day })).toBe(9);
    expect(findRunwayHours(950n, { spent: 2400n, overMs: day })).toBe(9.5);
    expect(findRunwayHours(100n, { spent: 100n, overMs: day / 24 })).toBe(1);
  });

  it('the runway is rounded down to tenths of an hour', () => {
    expect(findRunwayHours(999n, { spent: 2400n, overMs: day })).toBe(9.9);
  });

  it('the runway is 0 without credit, and undefined without spending or if it exceeds a year', () => {
    expect(findRunwayHours(0n, { spent: 5n, overMs: day })).toBe(0);
    expect(findRunwayHours(-5n, { spent: 5n, overMs: day })).toBe(0);
    expect(findRunwayHours(5n, { spent: 0n, overMs: day })).toBeUndefined();
    expect(findRunwayHours(5n, { spent: -5n, overMs: day })).toBeUndefined();
    expect(findRunwayHours(10n ** 15n, { spent: 1n, overMs: day })).toBeUndefined();
  });
});
