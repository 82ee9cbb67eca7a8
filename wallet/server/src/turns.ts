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
