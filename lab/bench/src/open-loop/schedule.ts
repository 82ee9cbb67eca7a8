// Computes when requests are due at a constant rate. A request is due even if earlier requests are not
// answered yet.

export interface Schedule {
  /** Number of requests due by this time, in milliseconds since the start. */
  dueBy(elapsedMs: number): number;
  /** The due time of request `n`, counted from 0. The latency of the request counts from this time. */
  timeOf(n: number): number;
  readonly total: number;
}

/** A rate and its duration. The stages of a run follow one another without a pause. */
export interface Stage {
  readonly perSecond: number;
  readonly seconds: number;
}

export function createSchedule(stages: readonly Stage[]): Schedule {
  let total = 0;
  let startMs = 0;
  const parts = stages.map(({ perSecond, seconds }) => {
    const part = { perSecond, startMs, first: total, count: Math.floor(perSecond * seconds) };
    total += part.count;
    startMs += seconds * 1000;
    return part;
  });
  const dueOf = ({ perSecond, startMs: from, count }: (typeof parts)[number], ms: number) =>
    ms < from ? 0 : Math.min(count, Math.floor(((ms - from) * perSecond) / 1000 + 1e-9) + 1);
  return {
    total,
    timeOf: (n) => {
      const part = parts.findLast(({ first, count }) => first <= n && count > 0) ?? parts[0];
      return part ? part.startMs + ((n - part.first) * 1000) / part.perSecond : 0;
    },
    dueBy: (elapsedMs) => {
      let due = 0;
      for (const part of parts) due += dueOf(part, elapsedMs);
      return due;
    },
  };
}
