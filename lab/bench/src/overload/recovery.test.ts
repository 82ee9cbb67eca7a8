// A service has recovered when it serves the wanted rate for half a second.
import { expect, it } from 'vitest';
import { findRecovery } from './recovery.ts';

const wanted = { most: 1000, part: 0.9 };

it('the recovery time is 0 if the rate never dropped', () => {
  expect(findRecovery([100, 100, 100, 100, 100], wanted)).toBe(0);
});

it('the recovery time is the start of the first half second in which the wanted rate is served', () => {
  expect(findRecovery([0, 0, 0, 90, 90, 90, 90, 90, 100], wanted)).toBe(300);
});

it('a single burst of successes does not count as a recovery', () => {
  expect(findRecovery([0, 300, 0, 0, 0, 0, 0, 0], wanted)).toBe(Number.POSITIVE_INFINITY);
});

it('the recovery time is infinite if the wanted rate is never served', () => {
  expect(findRecovery([], wanted)).toBe(Number.POSITIVE_INFINITY);
  expect(findRecovery([80, 80, 80, 80, 80, 80], wanted)).toBe(Number.POSITIVE_INFINITY);
});
