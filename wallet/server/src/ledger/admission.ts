// Whether an order may still join the queue: judged by how long it would wait, not by how many do.

export interface Admission {
  /** A batch of so many was brought to an end. */
  observe(orders: number, elapsedMs: number): void;
  /** Whether an order with so many to be written before it would wait too long. */
  isFull(ahead: number): boolean;
}

/** How much of an older estimate a new batch leaves: some ten batches make a new one. */
const keptPart = 0.8;

/**
 * Batches of a few orders say nothing of how fast many are written, so only those count that are at
 * least a quarter full. What fits into the next batch is always let in, and until a full batch
 * was seen everything is: a burst on an idle service is no overload.
 */
export function createAdmission(options: { maxBatch: number; maxExpectedMs: number }): Admission {
  const { maxBatch, maxExpectedMs } = options;
  let msPerOrder: number | undefined;
  return {
    observe: (orders, elapsedMs) => {
      if (orders * 4 < maxBatch) return;
      const now = elapsedMs / orders;
      msPerOrder = msPerOrder === undefined ? now : msPerOrder * keptPart + now * (1 - keptPart);
    },
    isFull: (ahead) =>
      ahead >= maxBatch && msPerOrder !== undefined && ahead * msPerOrder > maxExpectedMs,
  };
}
