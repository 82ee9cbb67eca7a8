// A service has recovered when it serves the wanted rate for half a second.
import { expect, it } from 'vitest';
import { findRecovery } from './recovery.ts';

const wanted = { most: 1000, part: 0.9 };

it('finds an immediate recovery if the rate never dropped', () => {
  expect(findRecovery([100, 100, 100, 100, 100], wanted)).toBe(0);
});

it('finds the start of the first half second at the wanted rate', () => {
  expect(findRecovery([0, 0, 0, 90, 90, 90, 90, 90, 100], wanted)).toBe(300);
});

it('does not take a single burst for a recovery', () => {
  expect(findRecovery([0, 300, 0, 0, 0, 0, 0, 0], wanted)).toBe(Number.POSITIVE_INFINITY);
});

it('returns infinity if the rate is never reached', () => {
  expect(findRecovery([], wanted)).toBe(Number.POSITIVE_INFINITY);
  expect(findRecovery([80, 80, 80, 80, 80, 80], wanted)).toBe(Number.POSITIVE_INFINITY);
});
