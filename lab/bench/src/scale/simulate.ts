// Simulates group commit: orders arrive at random, and each batch writes the waiting orders with one flush.
import type { Costs } from './costs.ts';

export interface Simulated {
  readonly rate: number;
  readonly commitsPerMovement: number;
  readonly meanBatch: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of time in which a batch is in flight. */
  readonly busy: number;
  /** The share of the orders that were refused because they waited too long. */
  readonly refused: number;
}

const maxBatch = 1024;
const maxWaitUs = 1_500_000;

/** Reproducible random numbers for a seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Simulates one service process and the primary PostgreSQL server that it writes to. Batches run one after
 * another. A batch takes the CPU time of the service and of PostgreSQL for each of its orders, and the time
 * of one flush.
 */
export function simulate(
  costs: Costs,
  options: { rate: number; movements: number; seed: number },
): Simulated {
  const chance = createChance(options.seed);
  const arrivals: number[] = [];
  for (let at = 0, i = 0; i < options.movements; i++) {
    at += (-Math.log(1 - chance()) * 1e6) / options.rate;
    arrivals.push(at);
  }
  const waits: number[] = [];
  const counted = { batches: 0, refused: 0, busyUs: 0 };
  let clock = 0;
  for (let next = 0; next < arrivals.length; ) {
    clock = Math.max(clock, arrivals[next] as number);
    const batch: number[] = [];
    while (next < arrivals.length && batch.length < maxBatch && (arrivals[next] as number) <= clock) {
      const arrived = arrivals[next++] as number;
      if (clock - arrived > maxWaitUs) counted.refused++;
      else batch.push(arrived);
    }
    if (batch.length === 0) continue;
    const took = batch.length * (costs.serviceUs + costs.postgresUs) + costs.flushUs;
    clock += took;
    counted.batches++;
    counted.busyUs += took;
    for (const arrived of batch) waits.push(clock - arrived);
  }
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor((waits.length - 1) * share)] ?? 0) / 1000;
  return {
    rate: (waits.length / clock) * 1e6,
    commitsPerMovement: counted.batches / Math.max(1, waits.length),
    meanBatch: waits.length / Math.max(1, counted.batches),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busy: counted.busyUs / clock,
    refused: counted.refused / options.movements,
  };
}
