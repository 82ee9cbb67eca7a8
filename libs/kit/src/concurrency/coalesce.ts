// Combines concurrent look-ups into few queries. Keys that arrive during a query are part of the next one.

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<Key, Value> {
  waiting: Waiting<Key, Value>[];
  /** Loads that run or are about to start. */
  running: number;
}

/**
 * At most `maxInFlight` loads of a group run at the same time, each of at most `maxBatch` keys. Groups
 * never share a load. There is no timer: a single look-up is sent in the same iteration of the event loop.
 */
export function createCoalescer<Key, Value>(options: {
  maxBatch: number;
  /**
   * 1 by default. With 2, this process handles the result of one load while the database works on
   * another.
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
      // Resolved in the next iteration of the event loop, after the next load has been sent to the database.
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
      // The first look-up schedules a load. Later look-ups of the same iteration share it.
      const isFirst = queue.waiting.push({ key, resolve, reject }) === 1;
      if (!isFirst || queue.running >= maxInFlight) return;
      queue.running++;
      setImmediate(runNext, group, queue);
    });
}
