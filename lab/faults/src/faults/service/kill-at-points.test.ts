// Only a crash at the wanted point counts as a kill at that point.
import { expect, it } from 'vitest';
import { type CrashReport, isAtPoint } from './kill-at-points.ts';

const note = (point: string, orders: number, answered: number): CrashReport => ({
  point,
  orders,
  answered,
  heldBack: 0,
});

it.each([
  ['before a batch of one is sent', 'before-send', note('before-send', 1, 0), true],
  ['after a commit, before any answer', 'after-commit', note('after-commit', 3, 0), true],
  ['after one of two answers', 'between-answers', note('between-answers', 2, 1), true],
  ['a batch of one has no second answer', 'between-answers', note('between-answers', 1, 1), false],
  ['before the first answer', 'between-answers', note('between-answers', 2, 0), false],
  ['after two answers', 'between-answers', note('between-answers', 3, 2), false],
  ['at another point', 'between-answers', note('after-commit', 2, 1), false],
  ['without a report', 'before-send', undefined, false],
])('%s', (_title, point, left, wanted) => {
  expect(isAtPoint(point, left)).toBe(wanted);
});
