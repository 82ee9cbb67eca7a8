// The queue runs one task at a time in order, continues after failures, and refuses tasks above its limit.
import { expect, it } from 'vitest';
import { createSerialQueue, createSerialQueuePerKey } from './serial-queue.ts';

it('the queue runs one task at a time in order of arrival; a failure affects no other task', async () => {
  const enqueue = createSerialQueue({ maxWaiting: 10 });
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    enqueue(async () => {
      seen.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} out`);
      if (fails) throw new Error(name);
      return name;
    });
  const all = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

it('a full queue refuses tasks, and accepts tasks again when earlier tasks have ended', async () => {
  const enqueue = createSerialQueue({ maxWaiting: 2 });
  const both = [enqueue(async () => 1), enqueue(async () => 2)];
  await expect(enqueue(async () => 3)).rejects.toMatchObject({ code: 'overloaded' });
  await Promise.all(both);
  expect(await enqueue(async () => 4)).toBe(4);
});

it('tasks of different keys do not wait for each other, and each key has its own limit', async () => {
  const enqueue = createSerialQueuePerKey<string>({ maxWaiting: 1 });
  let letGo = () => {};
  const first = enqueue('a', () => new Promise<void>((resolve) => (letGo = resolve)));
  await expect(enqueue('a', async () => 1)).rejects.toMatchObject({ code: 'overloaded' });
  expect(await enqueue('b', async () => 2)).toBe(2);
  letGo();
  await first;
  expect(await enqueue('a', async () => 3)).toBe(3);
});
