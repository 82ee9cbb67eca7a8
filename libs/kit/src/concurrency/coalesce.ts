// Combines concurrent look-ups into few queries. Keys that arrive during a query are part of the next query.

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<Key, Value> {
  waiting: Waiting<Key, Value>[];
  /** The number of loads that run or are about to start. */
  running: number;
}

/**
 * Joins look-ups of a group into loads. A group runs at most `maxInFlight` loads at the same time, each with
 * at most `maxBatch` keys. Two groups never share a load. There is no timer: a look-up that need not wait
 * for a running load is sent in the same iteration of the event loop.
 */
export function createCoalescer<Key, Value>(options: {
  maxBatch: number;
  /**
   * The maximum number of loads at the same time; 1 by default. With 2, this process handles the result of
   * one load while the database works on another load.
   */
  maxInFlight?: number;
  /** Returns one value per key, in the order of the keys; undefined if a key has no value. */
  load: (group: string, keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
}) {
  const { maxBatch, maxInFlight = 1 } = options;
  const queues = new Map<string, Queue<Key, Value>>();

  const runNext = async (group: string, queue: Queue<Key, Value>): Promise<void> => {
    const batch = queue.waiting.splice(0, maxBatch);
    try {
      const values = await options.load(
        group,
        batch.map((each) => each.key),
      );
      // The callers get their values in the next iteration of the event loop. So the next load is sent to the
      // database before the callers continue.
      setImmediate(() => {
        for (const [i, each] of batch.entries()) each.resolve(values[i]);
      });
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
    if (queue.waiting.length > 0) void runNext(group, queue);
    else if (--queue.running === 0) queues.delete(group);
  };

  return (group: string, key: Key) =>
    new Promise<Value | undefined>((resolve, reject) => {
      let queue = queues.get(group);
      if (!queue) {
        queue = { waiting: [], running: 0 };
        queues.set(group, queue);
      }
      // The first look-up of an event loop iteration schedules a load. Later look-ups of the same iteration
      // share this load.
      const isFirst = queue.waiting.push({ key, resolve, reject }) === 1;
      if (!isFirst || queue.running >= maxInFlight) return;
      queue.running++;
      setImmediate(runNext, group, queue);
    });
}
