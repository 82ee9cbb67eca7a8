// The arithmetic: what a rate of movements asks of processors, logs and disks, and what gives in first.
import type { Costs } from './costs.ts';

export interface Layout {
  /** Processes of the service, each on a core of its own. */
  readonly processes: number;
  /** PostgreSQL servers that take writes; more than one is Citus. */
  readonly primaries: number;
  readonly coresPerPrimary: number;
  readonly diskMbPerSecond: number;
  /** The share of all movements that the busiest package has. */
  readonly busiestShare: number;
}

/** As many movements share a flush at most. */
const largestBatch = 1024;

/** What may be used of anything before waiting grows faster than work. */
export const comfortable = 0.6;

export type Part = 'service' | 'postgres' | 'log' | 'flushes' | 'package';

/** Use of each part, 1 being all of it. */
export function findUse(rate: number, costs: Costs, layout: Layout): Record<Part, number> {
  const perPrimary = rate / layout.primaries;
  const perProcess = rate / layout.processes;
  return {
    service: (perProcess * costs.serviceUs) / 1e6,
    postgres: (perPrimary * costs.postgresUs) / 1e6 / layout.coresPerPrimary,
    log: (perPrimary * costs.walBytes) / 1e6 / layout.diskMbPerSecond,
    // A busy disk makes batches larger, not fewer movements: only full batches one by one are a limit.
    flushes: ((perProcess / largestBatch) * costs.flushUs) / 1e6,
    package: (rate * layout.busiestShare) / costs.engineRate,
  };
}

export function findFirstToGive(use: Record<Part, number>): Part {
  const parts = Object.entries(use) as [Part, number][];
  return parts.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** The smallest layout that stays comfortable; the busiest package's share is not ours to choose. */
export function planLayout(
  rate: number,
  costs: Costs,
  given: Omit<Layout, 'processes' | 'primaries'>,
): Layout {
  const processes = Math.max(1, Math.ceil((rate * costs.serviceUs) / 1e6 / comfortable));
  const byProcessor = (rate * costs.postgresUs) / 1e6 / given.coresPerPrimary;
  const byLog = (rate * costs.walBytes) / 1e6 / given.diskMbPerSecond;
  const primaries = Math.max(1, Math.ceil(Math.max(byProcessor, byLog) / comfortable));
  return { ...given, processes, primaries };
}

const day = 86_400;

/** Half of a round that is a bet and a win: its row in the journal, and half of what they share. */
export const findRoundShareBytes = (costs: Costs) => costs.journalBytes + costs.roundBytes / 2;

/** What is written down in a day at this rate all day long; rows of transfers, or of rounds. */
export const perDay = (rate: number, costs: Costs) => ({
  logGb: (rate * day * costs.walBytes) / 1e9,
  transfersGb: (rate * day * costs.journalBytes) / 1e9,
  roundsGb: (rate * day * findRoundShareBytes(costs)) / 1e9,
});
