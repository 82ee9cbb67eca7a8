// Decides which orders are accepted into the queue, and which queued orders go into the next batch.
import { createFairQueue } from './fair-queue.ts';
import { type PendingOrder, rejectOverloaded } from './pending-order.ts';
import { createWaitEstimate } from './wait-estimate.ts';

export interface AdmissionOptions {
  readonly maxBatch: number;
  readonly maxQueue: number;
  /** An order that has waited longer than this is rejected as `overloaded`. */
  readonly maxWaitMs: number;
  /** A new order whose estimated wait is longer than this is rejected at once. */
  readonly maxExpectedWaitMs: number;
}

export interface Admission {
  /**
   * Queues the order. If the queue is full, or if the order would wait too long, rejects the order as
   * `overloaded` and returns false.
   */
  enqueue(pending: PendingOrder): boolean;
  /** Whether a new order of this package would be rejected now, because its estimated wait is too long. */
  isFull(packageId: number): boolean;
  readonly size: () => number;
  /** Whether an order of this package is queued. */
  has(packageId: number): boolean;
  /** The next batch, taken round-robin from the packages, without the orders that have waited too long. */
  takeBatch(): PendingOrder[];
  /** Rejects the queued orders that have waited too long. */
  rejectExpired(nowMs: number): void;
  /** Rejects the orders of this batch that have waited too long, and returns the other orders. */
  withoutExpired(batch: readonly PendingOrder[]): PendingOrder[];
  /** Records how long a batch took, and how much of that time this process was idle. */
  recordBatch(orders: number, elapsedMs: number, idleMs: number): void;
  /**
   * Called when the queue is empty after a batch. From then on, no caller is expected to send another order
   * at once.
   */
  reset(): void;
}

/**
 * The wait estimate assumes batches of at most this size. Larger batches are taken only under overload. Under
 * overload, an iteration of the event loop is long, so the batch must give the database work for this whole
 * time.
 */
export const representativeBatch = 512;

/**
 * With at least this many callers, a batch takes the orders of half of the callers. The database writes these
 * orders while this process answers the other half.
 */
export const minCallersForHalves = 32;

export function createAdmission(options: AdmissionOptions): Admission {
  const { maxBatch, maxWaitMs } = options;
  const queue = createFairQueue<PendingOrder>(options.maxQueue);
  const estimate = createWaitEstimate({
    maxBatch: Math.min(maxBatch, representativeBatch),
    maxExpectedMs: options.maxExpectedWaitMs,
  });
  /** The size of the last batch. The callers of its orders are about to send their next orders. */
  let justAnswered = 0;

  const isFull = (packageId: number) => estimate.isFull(queue.ahead(packageId));

  const withoutExpired = (batch: readonly PendingOrder[]): PendingOrder[] => {
    const oldest = performance.now() - maxWaitMs;
    const fresh = batch.filter(({ since }) => since >= oldest);
    if (fresh.length < batch.length) rejectOverloaded(batch.filter(({ since }) => since < oldest));
    return fresh;
  };

  return {
    enqueue: (pending) => {
      const { packageId } = pending.order;
      const isQueued = !isFull(packageId) && queue.push(packageId, pending);
      if (!isQueued) rejectOverloaded([pending]);
      return isQueued;
    },
    isFull,
    size: queue.size,
    has: queue.has,
    takeBatch: () => {
      // The batch takes the orders of half of the callers. So the database writes one half while this process
      // answers the other half. With all orders in one batch, the database and this process would each wait
      // for the other.
      const callers = queue.size() + justAnswered;
      const half = callers < minCallersForHalves ? maxBatch : Math.ceil(callers / 2);
      const taken = queue.take(Math.min(half, maxBatch));
      justAnswered = taken.length;
      return withoutExpired(taken);
    },
    rejectExpired: (nowMs) => rejectOverloaded(queue.drop(({ since }) => since < nowMs - maxWaitMs)),
    withoutExpired,
    recordBatch: estimate.recordBatch,
    reset: () => {
      justAnswered = 0;
    },
  };
}
