// The results of a run: counts, latencies by group, and successes over time.
import { longestGap, percentile } from '../statistics.ts';

type Group = 'hot' | 'other' | 'read' | 'refused';

interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

export interface RunTally {
  readonly seconds: number;
  readonly succeeded: number;
  /** The number of successes that wrote a movement. */
  readonly written: number;
  /** Numbers of the requests that were answered with 503 and not applied. */
  readonly refused: readonly number[];
  /** Requests that were due but not sent, because all connections were busy for too long. */
  readonly unsent: number;
  readonly failures: Readonly<Record<string, number>>;
  /** Latencies from the time at which the request was due. */
  readonly latencies: Readonly<Record<Group, Latencies>>;
  /** Latencies of refusals from the time at which the request was sent. */
  readonly refusedSinceSent: Latencies;
  readonly longestGapMs: number;
  /** The number of successes in each interval of 100 ms. */
  readonly timeline: readonly number[];
}

export const tenthMs = 100;

export interface Tally {
  succeed(group: Exclude<Group, 'refused'>, atMs: number, latencyMs: number): void;
  refuse(n: number, latencyMs: number, sinceSentMs: number): void;
  fail(reason: string): void;
  finish(seconds: number, unsent: number): RunTally;
}

export function createTally(): Tally {
  const latencies: Record<Group, number[]> = { hot: [], other: [], read: [], refused: [] };
  const times: number[] = [];
  const timeline: number[] = [];
  const refused: number[] = [];
  const refusedSinceSent: number[] = [];
  const failures: Record<string, number> = {};
  return {
    succeed: (group, atMs, latencyMs) => {
      latencies[group].push(latencyMs);
      times.push(atMs);
      const tenth = Math.floor(atMs / tenthMs);
      while (timeline.length <= tenth) timeline.push(0);
      timeline[tenth] = (timeline[tenth] ?? 0) + 1;
    },
    refuse: (n, latencyMs, sinceSentMs) => {
      refused.push(n);
      latencies.refused.push(latencyMs);
      refusedSinceSent.push(sinceSentMs);
    },
    fail: (reason) => {
      failures[reason] = (failures[reason] ?? 0) + 1;
    },
    finish: (seconds, unsent) => ({
      seconds,
      succeeded: times.length,
      written: latencies.hot.length + latencies.other.length,
      refused,
      unsent,
      failures,
      timeline,
      latencies: {
        hot: summarise(latencies.hot),
        other: summarise(latencies.other),
        read: summarise(latencies.read),
        refused: summarise(latencies.refused),
      },
      refusedSinceSent: summarise(refusedSinceSent),
      longestGapMs: longestGap(Float64Array.from(times), { start: 0, end: seconds * 1000 }),
    }),
  };
}

function summarise(values: readonly number[]): Latencies {
  const sorted = Float64Array.from(values).sort();
  const at = (part: number) => (sorted.length === 0 ? 0 : percentile(sorted, part));
  return {
    count: sorted.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    p999Ms: at(0.999),
    maxMs: at(1),
  };
}
