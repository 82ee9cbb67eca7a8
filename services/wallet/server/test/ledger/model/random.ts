// A reproducible random generator: the same seed gives the same numbers on every machine.

export interface Random {
  /** A random integer from 0 to `below` - 1. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(oneIn: number): boolean;
}

export function createRandom(seed: number): Random {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    chance: (oneIn) => below(oneIn) === 0,
  };
}

/**
 * The seed of this run. The seed is fixed, so that the result of a test run depends on the code only. To test
 * other histories, set `TEST_SEED` to `random`. To repeat a failure, set `TEST_SEED` to the seed that the
 * failure printed.
 */
export function seedOfRun(): number {
  const given = process.env.TEST_SEED ?? '20261118';
  return (given === 'random' ? Date.now() : Number(given)) >>> 0;
}
