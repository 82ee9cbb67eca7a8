// Reproducible random numbers: a seed gives the same numbers on every machine.

export interface Random {
  /** An integer from 0 to `below` - 1. */
  below(below: number): number;
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    between: (from, to) => from + below(to - from + 1),
    pick: (from) => from[below(from.length)] as (typeof from)[number],
  };
}

/** Derives a seed from a name, so that a fault gets the same random numbers alone and in a full run. */
export function seedFor(seed: number, name: string): number {
  let mixed = seed >>> 0;
  for (const character of name) {
    mixed = (Math.imul(mixed, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  }
  return mixed;
}
