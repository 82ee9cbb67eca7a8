// I7, the first half: no call outlives its deadline; and A: failures are answered as promised.
import type { Attempt, Call, Excuse } from '../client/client-log.ts';
import { keyOf } from '../client/order.ts';
import { type Violation, violation } from './violation.ts';

/** What a caller of money may have to wait at most. */
export const moneyDeadlineMs = 3000;

export function checkDeadlines(
  calls: readonly Call[],
  excuses: readonly Excuse[],
  deadlineMs: number = moneyDeadlineMs,
): Violation[] {
  return calls.flatMap(({ order, attempts }) =>
    attempts
      .filter((attempt) => tookMs(attempt, excuses) > deadlineMs)
      .map((attempt) => {
        const took = Math.round(tookMs(attempt, excuses));
        return violation('I7', `${keyOf(order)} was answered after ${took} ms`);
      }),
  );
}

/** The time without that in which nobody could have answered; endless where no answer came. */
export function tookMs(attempt: Attempt, excuses: readonly Excuse[]): number {
  const { sentAtMs, answeredAtMs } = attempt;
  if (answeredAtMs === undefined) return Number.POSITIVE_INFINITY;
  const excused = excuses
    .map(({ fromMs, toMs }) => Math.min(answeredAtMs, toMs) - Math.max(sentAtMs, fromMs))
    .reduce((sum, part) => sum + Math.max(0, part), 0);
  return answeredAtMs - sentAtMs - excused;
}

export function checkAnswers(calls: readonly Call[]): Violation[] {
  return calls.flatMap(({ order, attempts }) =>
    attempts.flatMap(({ answer }) => {
      const { status = 0, retryAfter } = answer ?? {};
      if (status === 503 && !retryAfter) {
        return [violation('A', `${keyOf(order)}: a 503 without Retry-After`)];
      }
      if (status >= 500 && status !== 503) return [violation('A', `${keyOf(order)}: a ${status}`)];
      return [];
    }),
  );
}
