// When a service is its old self again, read from its successes in each tenth of a second.
import { tenthMs } from '../open-loop/tally.ts';

/** Tenths that are looked at together: batches make single ones uneven. */
const windowTenths = 5;

/** Milliseconds until half a second reached that part of the maximum; infinite where none did. */
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
