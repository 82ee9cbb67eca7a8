// Finds the time of recovery from the successes per 100 ms.
import { tenthMs } from '../open-loop/tally.ts';

/** Intervals of 100 ms that are added up, because batches make single ones uneven. */
const windowTenths = 5;

/** Milliseconds until half a second reached this share of the maximum; infinite if none did. */
export function findRecovery(
  timeline: readonly number[],
  { most, part }: { most: number; part: number },
): number {
  const wanted = (most * part * windowTenths * tenthMs) / 1000;
  for (let from = 0; from + windowTenths <= timeline.length; from++) {
    const done = timeline.slice(from, from + windowTenths).reduce((sum, each) => sum + each, 0);
    if (done >= wanted) return from * tenthMs;
  }
  return Number.POSITIVE_INFINITY;
}
