// Decides when the next batch starts. One batch runs at a time, and the orders of one event loop tick share a
// batch.

export interface Scheduler {
  /** Runs batches until the queue is empty. Does nothing if batches are running already. */
  wake(): void;
  /**
   * If the queue is long, starts a due batch at once instead of at the end of this tick. Under overload, a
   * tick may last for seconds.
   */
  startIfQueueIsLong(): void;
  /** Resolves when no batch runs and all answers were given. */
  drain(): Promise<void>;
}

export interface SchedulerDeps {
  readonly queueSize: () => number;
  readonly maxBatch: number;
  /** Takes orders from the queue. Resolves when these orders are answered or their answers are scheduled. */
  readonly runBatch: () => Promise<void>;
  /** Called every `tickMs` while batches run. */
  readonly onTick: () => void;
  readonly tickMs: number;
  /** Called when the queue is empty and the last batch has ended. */
  readonly onIdle: () => void;
}

/**
 * The maximum number of event loop ticks for which a batch waits for more orders. Larger batches need fewer
 * commits.
 */
const maxWaitTicks = 1;

/** A batch this large is started without waiting for more orders. */
const eagerBatch = 256;

export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { queueSize, runBatch } = deps;
  const eagerSize = Math.min(deps.maxBatch, eagerBatch);
  let isRunning = false;
  /** Whether a batch starts at the end of this tick. */
  let isDue = false;
  let waitedTicks = 0;
  let sizeAtLastTick = 0;
  let timer: NodeJS.Timeout | undefined;
  let drained: (() => void)[] = [];

  const startSoon = () => {
    isDue = true;
    setImmediate(startNow);
  };
  const startNow = () => {
    if (!isDue) return;
    isDue = false;
    void runBatches();
  };

  const runBatches = async (): Promise<void> => {
    // Callers that were just answered send their next orders at once. The batch waits while the queue still
    // grows, so that it contains these orders.
    const size = queueSize();
    if (waitedTicks < maxWaitTicks && size > sizeAtLastTick && size < eagerSize) {
      waitedTicks++;
      sizeAtLastTick = size;
      startSoon();
      return;
    }
    waitedTicks = 0;
    sizeAtLastTick = 0;
    do await runBatch();
    while (queueSize() > 0);
    isRunning = false;
    clearInterval(timer);
    deps.onIdle();
    // The last orders are answered in this tick. `drain` resolves in the next iteration of the event loop,
    // after these answers.
    setImmediate(resolveDrained);
  };

  const resolveDrained = () => {
    if (isRunning) return;
    for (const resolve of drained) resolve();
    drained = [];
  };

  return {
    wake: () => {
      if (isRunning) return;
      isRunning = true;
      timer = setInterval(deps.onTick, deps.tickMs);
      startSoon();
    },
    startIfQueueIsLong: () => {
      if (isDue && queueSize() >= eagerBatch) startNow();
    },
    drain: () => (isRunning ? new Promise((resolve) => drained.push(resolve)) : Promise.resolve()),
  };
}
