// Orders are accepted or rejected by their estimated waiting time.
import { expect, it } from 'vitest';
import { createWaitEstimate } from './wait-estimate.ts';

function make() {
  const estimate = createWaitEstimate({ maxBatch: 100, maxExpectedMs: 300 });
  /** Records a batch, and the share of its duration for which the process was idle. */
  const write = (orders: number, elapsedMs: number, idleShare = 0.5) =>
    estimate.recordBatch(orders, elapsedMs, elapsedMs * idleShare);
  return { isFull: estimate.isFull, write };
}

it('all orders are accepted until enough batches are measured', () => {
  const { isFull, write } = make();
  expect(isFull(1_000_000)).toBe(false);
  write(100, 199);
  expect(isFull(1_000_000)).toBe(false);
});

it('an order whose estimated wait exceeds the limit is rejected', () => {
  const { isFull, write } = make();
  write(100, 100);
  write(100, 100);
  expect([299, 300, 301].map(isFull)).toEqual([false, false, true]);
});

it('an order that fits into the next batch is accepted, however slow the previous batch was', () => {
  const { isFull, write } = make();
  write(100, 10_000);
  expect([0, 99, 100].map(isFull)).toEqual([false, false, true]);
});

it('the estimate ignores small batches, because they are slow per order', () => {
  const { isFull, write } = make();
  for (let i = 0; i < 50; i++) write(24, 1000);
  expect(isFull(5000)).toBe(false);
  for (let i = 0; i < 80; i++) write(25, 2.5);
  expect([2999, 3001].map(isFull)).toEqual([false, true]);
});

it('the estimate adapts when the database becomes slower, and when the database recovers', () => {
  const { isFull, write } = make();
  for (let i = 0; i < 20; i++) write(100, 10);
  expect(isFull(1000)).toBe(false);
  write(100, 100);
  write(100, 100);
  expect(isFull(1000)).toBe(true);
  for (let i = 0; i < 20; i++) write(100, 10);
  expect(isFull(1000)).toBe(false);
});

it('slow batches raise the estimate only gradually while the process itself is busy', () => {
  const { isFull, write } = make();
  for (let i = 0; i < 20; i++) write(100, 10);
  for (let i = 0; i < 20; i++) write(100, 400, 0.05);
  expect(isFull(2400)).toBe(false);
  for (let i = 0; i < 300; i++) write(100, 400, 0.05);
  expect(isFull(1000)).toBe(true);
  for (let i = 0; i < 20; i++) write(100, 10, 0);
  expect(isFull(2400)).toBe(false);
});
