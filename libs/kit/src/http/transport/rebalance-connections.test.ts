// Who has far more connections than another gives some away, a few at a time.
import { expect, it } from 'vitest';
import { countSurplus, createEvener } from './rebalance-connections.ts';

it.each([
  ['a process that has just come back', 10, [10, 11, 11, 0], 2],
  ['a process that came back among many', 15, [...Array(15).fill(15), 0], 1],
  ['nearly all with one', 255, [255, 1], 64],
  ['of very many a part at a time', 10_000, [10_000, 0], 500],
  ['evenly spread', 128, [128, 128], 0],
  ['spread by chance', 155, [155, 101], 0],
  ['the one who has less', 1, [255, 1], 0],
  ['one who has less than most', 10, [10, 100, 100, 0], 0],
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

it('asks for some at the second look, and again only two looks later', () => {
  const { hear } = createEvener(() => 0);
  hear(2, 0, [1, 2]);
  const asked = [1, 2, 3, 4].map(() => hear(1, 100, [1, 2]));
  expect(asked).toEqual([0, 50, 0, 50]);
  // Once even, it begins anew.
  hear(1, 100, [1, 2]);
  hear(2, 100, [1, 2]);
  expect(hear(1, 100, [1, 2])).toBe(0);
  hear(2, 0, [1, 2]);
  expect([hear(1, 100, [1, 2]), hear(1, 100, [1, 2])]).toEqual([0, 50]);
});

it('counts neither who is gone nor who has not said anything for a while', () => {
  let now = 0;
  const { hear, forget } = createEvener(() => now);
  const twice = () => [hear(1, 100, [1, 2]), hear(1, 100, [1, 2])];
  expect(twice()).toEqual([0, 0]);
  hear(2, 0, [1, 2]);
  expect(twice()).toEqual([0, 50]);
  now = 3001;
  expect(twice()).toEqual([0, 0]);
  hear(2, 0, [1, 2]);
  forget(2);
  expect(twice()).toEqual([0, 0]);
});
