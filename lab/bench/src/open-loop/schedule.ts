// When requests are due at a constant rate, whatever became of those before.

export interface Schedule {
  /** How many have been due up to this moment, in milliseconds since the start. */
  dueBy(elapsedMs: number): number;
  /** When request `n`, counted from 0, is due: what its latency is counted from. */
  timeOf(n: number): number;
  readonly total: number;
}

/** One rate for some time; several stages follow one another without a pause. */
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
