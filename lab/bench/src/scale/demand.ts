// Computes the processors, WAL and disks that a rate of movements needs, and the bottleneck.
import type { Costs } from './costs.ts';

export interface Layout {
  /** Processes of the service, each on its own core. */
  readonly processes: number;
  /** PostgreSQL primaries; more than one requires Citus. */
  readonly primaries: number;
  readonly coresPerPrimary: number;
  readonly diskMbPerSecond: number;
  /** The share of all movements that belong to the busiest package. */
  readonly busiestShare: number;
}

/** The maximum number of movements per flush. */
const largestBatch = 1024;

/** The highest utilisation that a layout should have. Above it, waiting times grow faster than the rate. */
export const comfortable = 0.6;

export type Part = 'service' | 'postgres' | 'log' | 'flushes' | 'package';

/** Returns the utilisation of each part; 1 means that the part is fully used. */
export function findUse(rate: number, costs: Costs, layout: Layout): Record<Part, number> {
  const perPrimary = rate / layout.primaries;
  const perProcess = rate / layout.processes;
  return {
    service: (perProcess * costs.serviceUs) / 1e6,
    postgres: (perPrimary * costs.postgresUs) / 1e6 / layout.coresPerPrimary,
    log: (perPrimary * costs.walBytes) / 1e6 / layout.diskMbPerSecond,
    // Batches grow when the disk is busy. So flushes become the bottleneck only when each flush writes a full
    // batch.
    flushes: ((perProcess / largestBatch) * costs.flushUs) / 1e6,
    package: (rate * layout.busiestShare) / costs.engineRate,
  };
}

/** The part with the highest utilisation. */
export function findBottleneck(use: Record<Part, number>): Part {
  const parts = Object.entries(use) as [Part, number][];
  return parts.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** The smallest layout in which the utilisation of service, PostgreSQL and WAL is at most `comfortable`. */
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

/** The costs of one request of an operation. */
export interface OperationCosts {
  readonly serviceUs: number;
  readonly postgresUs: number;
  readonly walBytes: number;
}

/**
 * The rate that the given number of cores for service processes can serve at a comfortable utilisation, and
 * what the rate needs: cores of PostgreSQL, WAL, and packages if each package is at most comfortably used.
 */
export function findCapacity(
  cores: number,
  { serviceUs, postgresUs, walBytes }: OperationCosts,
  { engineRate }: Costs,
) {
  const rate = (cores * comfortable * 1e6) / serviceUs;
  return {
    rate,
    postgresCores: Math.ceil((rate * postgresUs) / 1e6 / comfortable),
    walMbPerSecond: (rate * walBytes) / 1e6,
    packages: Math.ceil(rate / (engineRate * comfortable)),
  };
}

const day = 86_400;

/** Disk bytes per movement in a round with a bet and a win: one journal row and half of the round's row. */
export const findRoundShareBytes = (costs: Costs) => costs.journalBytes + costs.roundBytes / 2;

/**
 * Gigabytes per day at this rate: WAL, and disk space if all movements are transfers or all are in rounds.
 */
export const perDay = (rate: number, costs: Costs) => ({
  logGb: (rate * day * costs.walBytes) / 1e9,
  transfersGb: (rate * day * costs.journalBytes) / 1e9,
  roundsGb: (rate * day * findRoundShareBytes(costs)) / 1e9,
});
