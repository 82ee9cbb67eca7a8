// Waiting in tests: for a check to pass, and for work at the end of a test.
import { vi } from 'vitest';

/** Only a defect takes longer. */
const ceilingMs = 180_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: ceilingMs, interval: 20 });

/** A failure is reported where the result is awaited, and not as an unhandled rejection. */
export function runningBeside<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const all = Promise.all(work);
  all.catch(() => {});
  return all;
}
