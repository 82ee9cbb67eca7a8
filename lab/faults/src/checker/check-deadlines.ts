// Invariant I7: no call exceeds its deadline, and resources are released. Invariant A: every failure is a 503
// with Retry-After.
import type { Excuse, History } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import { type Violation, violation } from './violation.ts';

/** The longest time that a caller may wait for an answer about money. */
export const moneyDeadlineMs = 3000;

/** The times of an attempt or a read, and the parts of its answer that the checks need. */
interface Wait {
  readonly name: string;
  readonly sentAtMs: number;
  readonly answeredAtMs?: number;
  readonly status?: number;
  readonly retryAfter?: boolean;
}

type Waited = Pick<History, 'calls' | 'reads'>;

const listWaits = ({ calls, reads }: Waited): Wait[] => [
  ...calls.flatMap(({ order, attempts }) =>
    attempts.map(({ answer, ...times }) => ({ ...answer, ...times, name: keyOf(order) })),
  ),
  ...reads.map((read) => ({ ...read, name: `a read of ${read.player}` })),
];

export function checkDeadlines(
  history: Waited & Pick<History, 'excuses'>,
  deadlineMs: number = moneyDeadlineMs,
): Violation[] {
  const { excuses } = history;
  return listWaits(history)
    .filter((wait) => tookMs(wait, excuses) > deadlineMs)
    .map((wait) => {
      const took = Math.round(tookMs(wait, excuses));
      return violation('I7', `${wait.name} was answered after ${took} ms`);
    });
}

/** The time from the request to the answer, without excused periods; infinite if no answer came. */
export function tookMs(
  { sentAtMs, answeredAtMs }: Pick<Wait, 'sentAtMs' | 'answeredAtMs'>,
  excuses: readonly Excuse[],
): number {
  if (answeredAtMs === undefined) return Number.POSITIVE_INFINITY;
  const excused = excuses
    .map(({ fromMs, toMs }) => Math.min(answeredAtMs, toMs) - Math.max(sentAtMs, fromMs))
    .reduce((sum, part) => sum + Math.max(0, part), 0);
  return answeredAtMs - sentAtMs - excused;
}

export function checkAnswers(history: Waited): Violation[] {
  return listWaits(history).flatMap(({ name, status = 0, retryAfter }) => {
    if (status === 503 && !retryAfter) {
      return [violation('A', `${name}: a 503 without Retry-After`)];
    }
    if (status >= 500 && status !== 503) return [violation('A', `${name}: a ${status}`)];
    return [];
  });
}

/** The resources that an idle process uses. */
export interface ResourceUsage {
  readonly residentMiB: number;
  readonly openFiles: number;
  /** Database sessions that are not idle. */
  readonly busySessions: number;
}

/** An increase up to these limits is not a leak: the garbage collector and connection pools keep reserves. */
const spareMiB = 256;
const spareFiles = 32;

export function checkReturned(before: ResourceUsage, after: ResourceUsage): Violation[] {
  const found: Violation[] = [];
  const report = (detail: string) => found.push(violation('I7', detail));
  if (after.residentMiB > before.residentMiB + spareMiB) {
    report(`memory grew from ${before.residentMiB} to ${after.residentMiB} MiB`);
  }
  if (after.openFiles > before.openFiles + spareFiles) {
    report(`open files grew from ${before.openFiles} to ${after.openFiles}`);
  }
  if (after.busySessions > 0) {
    report(`${after.busySessions} database sessions are still busy`);
  }
  return found;
}
