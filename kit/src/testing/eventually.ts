// Waits until a check passes, however long this machine takes for it.
import { vi } from 'vitest';

/** Only a defect takes this long: ten times the slowest wait seen on one core of a busy machine. */
const ceilingMs = 180_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: ceilingMs, interval: 20 });
