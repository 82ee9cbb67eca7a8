// Orders are let in by the time they would wait.
import { expect, it } from 'vitest';
import { createAdmission } from './admission.ts';

const make = () => createAdmission({ maxBatch: 100, maxExpectedMs: 300 });

it('lets everything in until it has seen how long a batch takes', () => {
  expect(make().isFull(1_000_000)).toBe(false);
});

it('refuses from the order on that would wait longer than it may', () => {
  const admission = make();
  admission.observe(100, 100);
  expect([299, 300, 301].map(admission.isFull)).toEqual([false, false, true]);
});

it('always lets in what fits into the next batch, however slow the last one was', () => {
  const admission = make();
  admission.observe(100, 10_000);
  expect([0, 99, 100].map(admission.isFull)).toEqual([false, false, true]);
});

it('learns nothing from small batches, which are slow for each of theirs', () => {
  const admission = make();
  for (let i = 0; i < 50; i++) admission.observe(24, 1000);
  expect(admission.isFull(5000)).toBe(false);
  admission.observe(25, 2.5);
  expect(admission.isFull(2999)).toBe(false);
});

it('follows a database that becomes slower, and one that recovers', () => {
  const admission = make();
  admission.observe(100, 10);
  expect(admission.isFull(1000)).toBe(false);
  for (let i = 0; i < 10; i++) admission.observe(100, 100);
  expect(admission.isFull(1000)).toBe(true);
  for (let i = 0; i < 10; i++) admission.observe(100, 10);
  expect(admission.isFull(1000)).toBe(false);
});
