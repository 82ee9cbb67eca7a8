// The latency of the API in this process: quantiles of the last minute, from the request histogram.
import type { RequestDurations } from '@counterfoil/kit/observability/request-durations';

export interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Maps each upper bound of the histogram to the number of answers that took at most that time. */
type Counts = ReadonlyMap<number, number>;

export type LatencyReader = ReturnType<typeof createLatencyReader>;

export function createLatencyReader(durations: Pick<RequestDurations, 'get'>, maxTicks: number) {
  const history: Counts[] = [countAnswers(durations)];
  return {
    /**
     * Must be called at every tick. Each call stores the current counts, and compares them with the counts of
     * one minute ago.
     */
    read: (): Latency => {
      const now = countAnswers(durations);
      const before = history[0] as Counts;
      history.push(now);
      if (history.length > maxTicks) history.shift();
      return { p50: findQuantile(before, now, 0.5), p95: findQuantile(before, now, 0.95) };
    },
  };
}

function countAnswers(durations: Pick<RequestDurations, 'get'>): Counts {
  const counts = new Map<number, number>();
  for (const { metricName, labels, value } of durations.get().values) {
    if (!metricName.endsWith('_bucket') || !String(labels.route).startsWith('/api/')) continue;
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    counts.set(bound, (counts.get(bound) ?? 0) + value);
  }
  return counts;
}

/**
 * The quantile in milliseconds, as the upper bound of its histogram bucket. It is null if no request was
 * answered between `before` and `now`.
 */
export function findQuantile(before: Counts, now: Counts, quantile: number): number | null {
  const bounds = [...now.keys()].sort((a, b) => a - b);
  const within = (bound: number) => (now.get(bound) ?? 0) - (before.get(bound) ?? 0);
  const all = within(Number.POSITIVE_INFINITY);
  if (all <= 0) return null;
  const bound = bounds.find((each) => within(each) >= all * quantile);
  const last = bounds.at(-2) ?? 0;
  return (bound === undefined || bound === Number.POSITIVE_INFINITY ? last : bound) * 1000;
}
