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
