// Whether an order may still join the queue: judged by how long it would wait, not by how many do.

export interface Admission {
  /** A batch of so many was written, and for so much of its time this process had nothing to do. */
  observe(orders: number, elapsedMs: number, idleMs: number): void;
  /** Whether an order with so many to be written before it would wait too long. */
  isFull(ahead: number): boolean;
}

/** A speed is that of batches of so long together, not of one that was lucky. */
const sampleMs = 200;

/** With so much of a sample to spare, whatever took long in it was the database. */
const sparePart = 0.1;

/** For so long batches of a busy process alone must be slow until the estimate is twice what it was. */
const doubleMs = 30_000;

/**
 * Batches of a few orders say nothing of how fast many are written, so only those count that are at
 * least a quarter full. What fits into the next batch is always let in, and until enough was
 * seen everything is: a burst on an idle service is no overload.
 *
 * A process that has no time to spare writes its batches slowly because it is busy refusing: would it
 * take that for the database's speed, it would refuse ever more, and never get out of it again.
 */
export function createAdmission(options: { maxBatch: number; maxExpectedMs: number }): Admission {
  const { maxBatch, maxExpectedMs } = options;
  let msPerOrder: number | undefined;
  let sample = { orders: 0, ms: 0, idleMs: 0 };
  const judge = ({ orders, ms, idleMs }: typeof sample) => {
    const seen = ms / orders;
    const isTrue = msPerOrder === undefined || seen <= msPerOrder || idleMs >= ms * sparePart;
    msPerOrder = isTrue ? seen : Math.min(seen, (msPerOrder ?? seen) * 2 ** (ms / doubleMs));
  };
  return {
    observe: (orders, elapsedMs, idleMs) => {
      if (orders * 4 < maxBatch) return;
      sample.orders += orders;
      sample.ms += elapsedMs;
      sample.idleMs += idleMs;
      if (sample.ms < sampleMs) return;
      judge(sample);
      sample = { orders: 0, ms: 0, idleMs: 0 };
    },
    isFull: (ahead) =>
      ahead >= maxBatch && msPerOrder !== undefined && ahead * msPerOrder > maxExpectedMs,
  };
}
