// The benchmark repeats rounds that other processes disturbed, up to a limit, and reports the number of these
// rounds.
import { expect, it } from 'vitest';
import { interleave } from './interleave.ts';
import { foreignPart } from './machine/foreign-load.ts';
import { sumFamily } from './machine/processes.ts';

/** `foreignParts` contains, for each run in order, the share of the load that other processes caused. */
function givenBench(rounds: number, foreignParts: readonly number[]) {
  const parts = [...foreignParts];
  const ran: string[] = [];
  const conditions = { repeatedRounds: 0, disturbedRounds: 0 };
  const idle = { say: () => {}, plot: () => {}, given: {} };
  const bench = { rounds, seconds: 0, quick: false, conditions, ...idle };
  const run = (name: string) => async () => `${name}${ran.push(name)}`;
  const measure = () =>
    interleave({
      bench,
      contenders: { a: run('a'), b: run('b') },
      describe: String,
      watch: async (work) => ({ result: await work(), foreignPart: parts.shift() ?? 0 }),
    });
  return { measure, ran, conditions };
}

it('all undisturbed benchmark rounds count, and every second round reverses the contenders', async () => {
  const { measure, ran, conditions } = givenBench(3, []);
  expect(await measure()).toEqual({ a: ['a1', 'a4', 'a5'], b: ['b2', 'b3', 'b6'] });
  expect(ran).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(conditions).toEqual({ repeatedRounds: 0, disturbedRounds: 0 });
});

it('a benchmark round with one disturbed run is discarded and measured again', async () => {
  const { measure, conditions } = givenBench(2, [0, 0.5]);
  expect(await measure()).toEqual({ a: ['a4', 'a5'], b: ['b3', 'b6'] });
  expect(conditions).toEqual({ repeatedRounds: 1, disturbedRounds: 0 });
});

it('disturbed benchmark rounds are repeated up to a limit; after that, disturbed rounds count', async () => {
  const { measure, ran, conditions } = givenBench(
    2,
    Array.from({ length: 50 }, () => 1),
  );
  expect((await measure()).a).toHaveLength(2);
  expect(ran).toHaveLength(8);
  expect(conditions).toEqual({ repeatedRounds: 2, disturbedRounds: 2 });
});

it('the CPU time of the benchmark and its processes does not count as load of other programs', () => {
  const all = (more: number) => [
    { pid: 1, parent: 0, ownMs: 900 + more, endedChildrenMs: 0 },
    { pid: 10, parent: 1, ownMs: 100, endedChildrenMs: 50 },
    { pid: 11, parent: 10, ownMs: 200, endedChildrenMs: 0 },
    { pid: 12, parent: 11, ownMs: 400 + more, endedChildrenMs: 0 },
  ];
  expect(sumFamily(all(0), 10)).toBe(750);
  const at = (ms: number, busyMs: number, more: number) => ({
    at: ms,
    busyMs,
    ownMs: sumFamily(all(more), 10),
  });
  expect(foreignPart(at(0, 1000, 0), at(1000, 1500, 500), 2)).toBe(0);
  expect(foreignPart(at(0, 1000, 0), at(1000, 2000, 500), 2)).toBe(0.25);
});
