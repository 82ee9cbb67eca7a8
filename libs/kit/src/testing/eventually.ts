// Waits in tests for a check to pass, or for background work at the end of a test.
import { vi } from 'vitest';

/** Longer than any check takes on a slow machine, so only a defect exceeds it. */
const ceilingMs = 180_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: ceilingMs, interval: 20 });

/**
 * Joins promises whose result is awaited later. A failure before that is not reported as an
 * unhandled rejection.
 */
export function runningBeside<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const all = Promise.all(work);
  all.catch(() => {});
  return all;
}
