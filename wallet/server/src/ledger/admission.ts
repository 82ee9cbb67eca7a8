// Whether an order may still join the queue: judged by how long it would wait, not by how many do.

export interface Admission {
  /** A batch of so many was brought to an end. */
  observe(orders: number, elapsedMs: number): void;
  /** Whether an order with so many to be written before it would wait too long. */
  isFull(ahead: number): boolean;
}

export interface AdmissionOptions {
  readonly maxBatch: number;
  readonly maxExpectedMs: number;
  readonly now?: () => number;
  /** For how long in all this process had nothing to do. */
  readonly readIdleMs?: () => number;
}

/** A speed is that of batches of so long together, not of one that was lucky. */
const sampleMs = 200;

/** With so much of a sample to spare, whatever took long in it was the database. */
const sparePart = 0.1;

/** How fast an estimate grows that only a busy process speaks for. */
const doubleMs = 30_000;

/**
 * Batches of a few orders say nothing of how fast many are written, so only those count that are at
 * least a quarter full. What fits into the next batch is always let in, and until enough was
 * seen everything is: a burst on an idle service is no overload.
 *
 * A process that has no time to spare writes its batches slowly because it is busy refusing: would it
 * take that for the database's speed, it would refuse ever more, and never get out of it again.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { maxBatch, maxExpectedMs, now = () => performance.now() } = options;
  const { readIdleMs = () => performance.eventLoopUtilization().idle } = options;
  let msPerOrder: number | undefined;
  let saidAt = 0;
  let sample = { orders: 0, ms: 0, idleMs: 0 };
  let idleBefore = readIdleMs();
  const judge = ({ orders, ms, idleMs }: typeof sample) => {
    const seen = ms / orders;
    const time = now();
    const isTrue = msPerOrder === undefined || seen <= msPerOrder || idleMs >= ms * sparePart;
    const grown = (msPerOrder ?? seen) * 2 ** ((time - saidAt) / doubleMs);
    msPerOrder = isTrue ? seen : Math.min(seen, grown);
    saidAt = time;
  };
  return {
    observe: (orders, elapsedMs) => {
      const idle = readIdleMs();
      const idleMs = idle - idleBefore;
      idleBefore = idle;
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
