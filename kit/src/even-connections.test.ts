// Who has far more connections than another gives some away, a few at a time.
import { expect, it } from 'vitest';
import { countSurplus } from './even-connections.ts';

it.each([
  ['a process that has just come back', 10, [10, 11, 11, 0], 2],
  ['nearly all with one', 255, [255, 1], 64],
  ['of very many a part at a time', 10_000, [10_000, 0], 500],
  ['evenly spread', 128, [128, 128], 0],
  ['spread by chance', 155, [155, 101], 0],
  ['the one who has less', 1, [255, 1], 0],
  ['a few', 4, [4, 0], 0],
  ['nothing to do', 0, [0, 0], 0],
  ['alone', 500, [500], 0],
])('%s', (_, own, all, surplus) => {
  expect(countSurplus(own, all)).toBe(surplus);
});

it('goes on until no process has more than twice the connections of another', () => {
  const all = [3000, 3000, 0];
  for (let round = 0; round < 60; round++) {
    const given = all.map((own) => countSurplus(own, all));
    const least = all.indexOf(Math.min(...all));
    for (const [i, surplus] of given.entries()) {
      all[i] = (all[i] ?? 0) - surplus;
      all[least] = (all[least] ?? 0) + surplus;
    }
  }
  expect(Math.max(...all)).toBeLessThanOrEqual(2 * Math.min(...all) + 4);
});
