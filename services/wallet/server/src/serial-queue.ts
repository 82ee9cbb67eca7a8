// Lets one piece of work through at a time; the rest wait in memory, in the order they came.
import { fail } from './errors.ts';

export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Keeps a burst from taking every database connection only to wait on one lock. */
export function createTurns(options: { maxWaiting: number }): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= options.maxWaiting) throw fail('overloaded');
    waiting++;
    const mine = last.then(work);
    last = mine.then(
      () => waiting--,
      () => waiting--,
    );
    return await mine;
  };
}

export type TurnsPer<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>;

/** One line for each key: who has another does not wait, and a line that is empty takes no room. */
export function createTurnsPer<Key>(options: { maxWaiting: number }): TurnsPer<Key> {
  const lines = new Map<Key, { readonly inTurn: Turns; inLine: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inTurn: createTurns(options), inLine: 0 };
    lines.set(key, line);
    line.inLine++;
    try {
      return await line.inTurn(work);
    } finally {
      line.inLine--;
      if (line.inLine === 0) lines.delete(key);
    }
  };
}
