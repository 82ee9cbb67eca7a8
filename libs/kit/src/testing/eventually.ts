// Waits until a check passes, however long this machine takes for it.
import { vi } from 'vitest';

/** Only a defect takes this long. */
const ceilingMs = 180_000;

/** Repeats the check until it no longer throws, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: ceilingMs, interval: 20 });
