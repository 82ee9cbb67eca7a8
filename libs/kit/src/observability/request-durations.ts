// Durations of requests by route and status: a Prometheus histogram in plain numbers.

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  /**
   * The number of requests in each bucket, not cumulative. The cumulative counts are computed when the
   * metrics are collected.
   */
  readonly counts: number[];
  sum: number;
}

/**
 * This is a type alias and not an interface. The type is not exported, so the compiler must write its fields
 * into declaration files, and it can do this only for a type alias.
 */
type Sample = {
  readonly metricName: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
};

export type RequestDurations = ReturnType<typeof createRequestDurations>;

/** Creates a metric with the methods that a registry calls, and with `observe`. */
export function createRequestDurations() {
  const name = 'http_request_duration_seconds';
  const series = new Map<string, Map<number, Series>>();

  const open = (route: string, method: string, status: number): Series => {
    const byStatus = series.get(`${method} ${route}`) ?? new Map<number, Series>();
    const counts = Array.from({ length: bounds.length + 1 }, () => 0);
    const found = { labels: { method, route, status: String(status) }, counts, sum: 0 };
    series.set(`${method} ${route}`, byStatus.set(status, found));
    return found;
  };

  return {
    name,
    /** Records one answer. This function runs for every request, so it only finds and increments numbers. */
    observe: (answer: { method: string; route: string; status: number }, seconds: number): void => {
      const { method, route, status } = answer;
      const found = series.get(`${method} ${route}`)?.get(status) ?? open(route, method, status);
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
      found.sum += seconds;
    },
    get: () => ({
      name,
      help: 'Time from the request to the end of the answer',
      type: 'histogram',
      aggregator: 'sum',
      values: [...series.values()].flatMap((byStatus) => [...byStatus.values()].flatMap(present)),
    }),
    reset: () => series.clear(),
  };

  function present({ labels, counts, sum }: Series): Sample[] {
    let count = 0;
    const buckets = counts.map((own, bucket): Sample => {
      count += own;
      const le = bounds[bucket] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
