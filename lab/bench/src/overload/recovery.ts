// Computes when a service has recovered, from its successes per 100 ms.
import { tenthMs } from '../open-loop/tally.ts';

/**
 * The number of 100 ms intervals that are added up. Single intervals vary, because answers come in batches.
 */
const windowTenths = 5;

/**
 * Returns the milliseconds until the first half second with at least `part` of the maximum rate `most`.
 * Returns infinity if no half second has this rate.
 */
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
