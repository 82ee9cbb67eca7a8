// Concurrent look-ups of one group share queries of limited size. Two groups never share a query.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCoalescer } from './coalesce.ts';

interface Call {
  group: string;
  keys: readonly string[];
  answer: () => void;
  fail: (error: Error) => void;
}

function open(maxBatch = 100) {
  const calls: Call[] = [];
  const find = createCoalescer<string, string>({
    maxBatch,
    load: (group, keys) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(keys.map((key) => (key === 'none' ? undefined : `${key}!`)));
        calls.push({ group, keys, answer, fail: reject });
      }),
  });
  return { calls, find };
}

it('look-ups of one event loop iteration share one load, and each caller gets its value', async () => {
  const { calls, find } = open();
  const asked = [find('g', 'a'), find('g', 'none'), find('g', 'b')];
  await turn();
  expect(calls.map((call) => call.keys)).toEqual([['a', 'none', 'b']]);
  calls[0]?.answer();
  expect(await Promise.all(asked)).toEqual(['a!', undefined, 'b!']);
});

it('look-ups that arrive during a load share the next load, which starts without a timer', async () => {
  const { calls, find } = open();
  const first = find('g', 'a');
  await turn();
  const second = [find('g', 'b'), find('g', 'c')];
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]?.answer();
  expect(await first).toBe('a!');
  await turn();
  expect(calls[1]?.keys).toEqual(['b', 'c']);
  calls[1]?.answer();
  expect(await Promise.all(second)).toEqual(['b!', 'c!']);
});

it('a load contains at most the maximum number of keys', async () => {
  const { calls, find } = open(2);
  const asked = ['a', 'b', 'c'].map((key) => find('g', key));
  await turn();
  expect(calls[0]?.keys).toEqual(['a', 'b']);
  calls[0]?.answer();
  await asked[0];
  await turn();
  expect(calls[1]?.keys).toEqual(['c']);
  calls[1]?.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!']);
});

it('look-ups of two groups never share a load, and a group does not wait for another group', async () => {
  const { calls, find } = open();
  const asked = [find('g', 'a'), find('h', 'b')];
  await turn();
  expect(calls.map(({ group, keys }) => [group, keys])).toEqual([
    ['g', ['a']],
    ['h', ['b']],
  ]);
  calls[1]?.answer();
  expect(await asked[1]).toBe('b!');
  calls[0]?.answer();
  expect(await asked[0]).toBe('a!');
});

it('a failed load rejects only its own callers', async () => {
  const { calls, find } = open();
  const first = find('g', 'a');
  await turn();
  const second = find('g', 'b');
  calls[0]?.fail(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await turn();
  calls[1]?.answer();
  expect(await second).toBe('b!');
});

it('with a limit of two loads, a group runs two loads at a time, and later look-ups wait', async () => {
  const calls: Call[] = [];
  const find = createCoalescer<string, string>({
    maxBatch: 100,
    maxInFlight: 2,
    load: (group, keys) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(keys.map((key) => `${key}!`));
        calls.push({ group, keys, answer, fail: reject });
      }),
  });
  const asked: Promise<string | undefined>[] = [];
  for (const key of ['a', 'b', 'c', 'd']) {
    asked.push(find('g', key));
    await turn();
  }
  expect(calls.map((call) => call.keys)).toEqual([['a'], ['b']]);
  calls[1]?.answer();
  expect(await asked[1]).toBe('b!');
  await turn();
  expect(calls[2]?.keys).toEqual(['c', 'd']);
  calls[2]?.answer();
  calls[0]?.answer();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!']);
});
