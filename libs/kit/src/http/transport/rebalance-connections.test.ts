// If a process has far more connections than another process, it closes some of them, a few at a time.
import { expect, it } from 'vitest';
import { countExcess, createConnectionCounter, createRebalancer } from './rebalance-connections.ts';

it.each([
  ['another process has just restarted', 10, [10, 11, 11, 0], 2],
  ['one of many processes has just restarted', 15, [...Array(15).fill(15), 0], 1],
  ['this process has nearly all connections', 255, [255, 1], 64],
  ['very many connections: 5 % at a time', 10_000, [10_000, 0], 500],
  ['evenly spread', 128, [128, 128], 0],
  ['a random difference', 155, [155, 101], 0],
  ['this process has fewer than the other', 1, [255, 1], 0],
  ['this process has fewer than most', 10, [10, 100, 100, 0], 0],
  ['a small difference', 4, [4, 0], 0],
  ['no connections', 0, [0, 0], 0],
  ['a single process', 500, [500], 0],
])('countExcess returns the number of connections to close: %s', (_, own, all, excess) => {
  expect(countExcess(own, all)).toBe(excess);
});

it('processes close connections until none has more than twice the fewest connections plus 4', () => {
  const all = [3000, 3000, 0];
  for (let round = 0; round < 60; round++) {
    const given = all.map((own) => countExcess(own, all));
    const least = all.indexOf(Math.min(...all));
    for (const [i, excess] of given.entries()) {
      all[i] = (all[i] ?? 0) - excess;
      all[least] = (all[least] ?? 0) + excess;
    }
  }
  expect(Math.max(...all)).toBeLessThanOrEqual(2 * Math.min(...all) + 4);
});

it('a process that keeps reporting too many connections must close some after every second report', () => {
  const { report } = createRebalancer(() => 0);
  report(2, 0, [1, 2]);
  const asked = [1, 2, 3, 4].map(() => report(1, 100, [1, 2]));
  expect(asked).toEqual([0, 50, 0, 50]);
  // Only successive reports with an excess count. A report without an excess resets the count to zero.
  report(1, 100, [1, 2]);
  report(2, 100, [1, 2]);
  expect(report(1, 100, [1, 2])).toBe(0);
  report(2, 0, [1, 2]);
  expect([report(1, 100, [1, 2]), report(1, 100, [1, 2])]).toEqual([0, 50]);
});

it('processes that have exited and reports older than 3 seconds are ignored', () => {
  let now = 0;
  const { report, remove } = createRebalancer(() => now);
  const twice = () => [report(1, 100, [1, 2]), report(1, 100, [1, 2])];
  expect(twice()).toEqual([0, 0]);
  report(2, 0, [1, 2]);
  expect(twice()).toEqual([0, 50]);
  now = 3001;
  expect(twice()).toEqual([0, 0]);
  report(2, 0, [1, 2]);
  remove(2);
  expect(twice()).toEqual([0, 0]);
});

it('a connection is counted once per report, and closed at its next request if it is in excess', () => {
  const { count, close, setExcess, takeReport } = createConnectionCounter();
  const [one, two, three] = [{}, {}, {}];
  expect([one, two, one].map(count)).toEqual([true, true, true]);
  expect(takeReport()).toBe(2);
  expect(count(one)).toBe(true);
  setExcess(1);
  // The first connection is already counted. The second connection is in excess, and the third no longer.
  expect([one, two].map(count)).toEqual([true, false]);
  close(two);
  expect([two, three].map(count)).toEqual([true, true]);
  expect(takeReport()).toBe(2);
});
