// The queue of the ledger: bounded, in order within a package, fair between packages.
import { expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

it('the queue serves the packages in turn, and the items of each package in the order of arrival', () => {
  const queue = createFairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3']) queue.push(1, item);
  queue.push(2, 'b1');
  queue.push(3, 'c1');
  queue.push(3, 'c2');
  expect(queue.take(100)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.size()).toBe(0);
});

it('a full queue rejects items, and accepts items again once there is room', () => {
  const queue = createFairQueue<number>(2);
  expect([queue.push(1, 1), queue.push(2, 2), queue.push(3, 3)]).toEqual([true, true, false]);
  expect(queue.take(1)).toEqual([1]);
  expect(queue.push(3, 3)).toBe(true);
  expect(queue.size()).toBe(2);
});

it('thousands of items of one package do not delay the only item of another package', () => {
  const queue = createFairQueue<string>(10_000);
  for (let i = 0; i < 5000; i++) queue.push(1, `a${i}`);
  queue.take(512);
  queue.push(2, 'b');
  expect(queue.take(512)).toContain('b');
});

it('the queue serves each package even if more packages wait than fit into a batch', () => {
  const queue = createFairQueue<string>(10_000);
  for (let i = 0; i < 10; i++) for (const owner of [1, 2, 3]) queue.push(owner, `${owner}`);
  const served = [queue.take(2), queue.take(2)].flat();
  expect([...new Set(served)].sort()).toEqual(['1', '2', '3']);
});

it('the queue returns every item exactly once, for batches of any size', () => {
  const queue = createFairQueue<number>(10_000);
  for (let i = 0; i < 1000; i++) queue.push(i % 7 === 0 ? 1 : i % 13, i);
  const taken: number[] = [];
  for (let max = 1; queue.size() > 0; max = (max * 5) % 23) taken.push(...queue.take(max + 1));
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

it('a new item of a package with few queued items waits for only a few other items', () => {
  const queue = createFairQueue<string>(100);
  expect(queue.ahead(1)).toBe(0);
  for (let i = 0; i < 10; i++) queue.push(1, `busy ${i}`);
  expect([queue.ahead(1), queue.ahead(2)]).toEqual([10, 1]);
  queue.push(2, 'quiet');
  expect([queue.ahead(1), queue.ahead(2), queue.ahead(3)]).toEqual([11, 3, 2]);
});
