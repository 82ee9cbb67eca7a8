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
  ['counts a crash before a batch of one order is sent', 'before-send', note('before-send', 1, 0), true],
  ['counts a crash after a commit and before any answer', 'after-commit', note('after-commit', 3, 0), true],
  ['counts a crash after one of two answers', 'between-answers', note('between-answers', 2, 1), true],
  [
    'does not count a crash between the answers of a batch of one order',
    'between-answers',
    note('between-answers', 1, 1),
    false,
  ],
  [
    'does not count a crash before the first answer as a crash between answers',
    'between-answers',
    note('between-answers', 2, 0),
    false,
  ],
  [
    'does not count a crash after two answers as a crash between answers',
    'between-answers',
    note('between-answers', 3, 2),
    false,
  ],
  ['does not count a crash at another point', 'between-answers', note('after-commit', 2, 1), false],
  ['does not count the end of a process that left no report', 'before-send', undefined, false],
])('isAtPoint %s', (_title, point, left, wanted) => {
  expect(isAtPoint(point, left)).toBe(wanted);
});
