// Which crash counts as one at its point in kill-at-points.
import { expect, it } from 'vitest';
import { type CrashReport, isAtPoint } from './kill-at-points.ts';

const note = (point: string, orders: number, answered: number): CrashReport => ({
  point,
  orders,
  answered,
  heldBack: 0,
});

it.each([
  ['before a batch of one', 'before-send', note('before-send', 1, 0), true],
  ['after a commit that nobody was told of', 'after-commit', note('after-commit', 3, 0), true],
  ['one of two answers had left', 'between-answers', note('between-answers', 2, 1), true],
  [
    'a batch of one has no place between answers',
    'between-answers',
    note('between-answers', 1, 1),
    false,
  ],
  ['no answer had left', 'between-answers', note('between-answers', 2, 0), false],
  ['two answers had left', 'between-answers', note('between-answers', 3, 2), false],
  ['it died elsewhere', 'between-answers', note('after-commit', 2, 1), false],
  ['it ended without a word', 'before-send', undefined, false],
])('%s', (_title, point, left, wanted) => {
  expect(isAtPoint(point, left)).toBe(wanted);
});
