// Percentiles, slopes and gaps of numbers with known results.
import { describe, expect, it } from 'vitest';
import { longestGap, percentile, slope } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, i) => i + 1);

describe('percentile', () => {
  it.each([
    [0.5, 50],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
    [0, 1],
  ])('percentile(numbers, %d) is %d for the numbers from 1 to 100', (part, value) => {
    expect(percentile(hundred, part)).toBe(value);
  });

  it('the percentile of one value is that value, and the percentile of an empty list is NaN', () => {
    expect([percentile([7], 0.01), percentile([7], 0.99)]).toEqual([7, 7]);
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('slope', () => {
  it('the slope of points on a line is the slope of the line', () => {
    expect(slope([0, 1, 2, 3].map((x) => [x + 50, 3 * x - 7]))).toBeCloseTo(3);
  });

  it('the slope is not changed by one peak in the middle', () => {
    expect(slope([0, 1, 2, 3, 4].map((x) => [x, x === 2 ? 100 : 10]))).toBeCloseTo(0);
  });

  it('the slope of a single point is NaN', () => {
    expect(slope([[1, 1]])).toBeNaN();
  });
});

describe('longest gap', () => {
  it('the longest gap between two times is found', () => {
    expect(longestGap([1, 2, 9, 10], { start: 0, end: 11 })).toBe(7);
  });

  it('the longest gap is found if it is before the first time or after the last time', () => {
    expect(longestGap([8, 9], { start: 0, end: 10 })).toBe(8);
    expect(longestGap([1, 2], { start: 0, end: 10 })).toBe(8);
  });

  it('the longest gap is the whole period if the list is empty', () => {
    expect(longestGap([], { start: 0, end: 10 })).toBe(10);
  });

  it('the longest gap ignores times after the end of the period', () => {
    expect(longestGap([1, 20], { start: 0, end: 10 })).toBe(9);
  });
});
