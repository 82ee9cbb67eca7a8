// For tests: waits until a check passes, and joins promises of work that runs in the background.
import { vi } from 'vitest';

/** The time limit of a check. Every correct check passes earlier, even on a slow machine. */
const ceilingMs = 180_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: ceilingMs, interval: 20 });

/**
 * Joins promises whose results are awaited later. If one of them fails before it is awaited, Node does not
 * report an unhandled rejection.
 */
export function runningBeside<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const all = Promise.all(work);
  all.catch(() => {});
  return all;
}
