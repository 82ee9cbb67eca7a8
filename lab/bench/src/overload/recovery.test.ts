// Recovery means half a second at the wanted rate.
import { expect, it } from 'vitest';
import { findRecovery } from './recovery.ts';

const wanted = { most: 1000, part: 0.9 };

it('a service that never faltered needs no time', () => {
  expect(findRecovery([100, 100, 100, 100, 100], wanted)).toBe(0);
});

it('it is the start of the first half second that is good enough', () => {
  expect(findRecovery([0, 0, 0, 90, 90, 90, 90, 90, 100], wanted)).toBe(300);
});

it('one tenth of a second with a whole backlog in it does not count for more than its window', () => {
  expect(findRecovery([0, 300, 0, 0, 0, 0, 0, 0], wanted)).toBe(Number.POSITIVE_INFINITY);
});

it('what never gets there never recovered', () => {
  expect(findRecovery([], wanted)).toBe(Number.POSITIVE_INFINITY);
  expect(findRecovery([80, 80, 80, 80, 80, 80], wanted)).toBe(Number.POSITIVE_INFINITY);
});
