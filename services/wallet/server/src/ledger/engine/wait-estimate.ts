// Estimates how long an order would wait in the queue, from the speed of the last batches.

export interface WaitEstimate {
  /** Records a batch: its size, its duration, and how long this process was idle meanwhile. */
  recordBatch(orders: number, elapsedMs: number, idleMs: number): void;
  /** Whether an order with `ahead` orders before it in the queue would wait too long. */
  isFull(ahead: number): boolean;
}

/** The speed is measured over batches of 200 ms in total, so that a single fast batch has little effect. */
const sampleMs = 200;

/** If this process was idle for at least this share of a sample, the database limited the speed. */
const idleShare = 0.1;

/** While this process is busy, slow batches can at most double the estimate in 30 seconds. */
const doubleMs = 30_000;

/**
 * Estimates how long a new order waits, from the measured time per order. Only batches that are at least a
 * quarter full are measured, because a small batch does not show how fast large batches are written. An order
 * that fits into the next batch is always accepted. Until there is a sample, every order is accepted, because
 * a burst on an idle service is not an overload.
 *
 * An overloaded process writes its batches slowly, because rejections take its time. If the estimate counted
 * this time as slowness of the database, the process would reject more and more orders and never recover.
 */
export function createWaitEstimate(options: { maxBatch: number; maxExpectedMs: number }): WaitEstimate {
  const { maxBatch, maxExpectedMs } = options;
  let msPerOrder: number | undefined;
  let sample = { orders: 0, ms: 0, idleMs: 0 };
  const useSample = ({ orders, ms, idleMs }: typeof sample) => {
    const measured = ms / orders;
    const isReliable = msPerOrder === undefined || measured <= msPerOrder || idleMs >= ms * idleShare;
    msPerOrder = isReliable ? measured : Math.min(measured, (msPerOrder ?? measured) * 2 ** (ms / doubleMs));
  };
  return {
    recordBatch: (orders, elapsedMs, idleMs) => {
      if (orders * 4 < maxBatch) return;
      sample.orders += orders;
      sample.ms += elapsedMs;
      sample.idleMs += idleMs;
      if (sample.ms < sampleMs) return;
      useSample(sample);
      sample = { orders: 0, ms: 0, idleMs: 0 };
    },
    isFull: (ahead) => ahead >= maxBatch && msPerOrder !== undefined && ahead * msPerOrder > maxExpectedMs,
  };
}
