// Combines concurrent look-ups into few queries. Look-ups that arrive while all permitted queries run wait
// for the next query.

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<Key, Value> {
  waiting: Waiting<Key, Value>[];
  /** The number of calls of `load` that run or are about to start. */
  running: number;
}

/**
 * Combines the look-ups of a group into calls of `load`. A group has at most `maxInFlight` running calls,
 * each with at most `maxBatch` keys. Two groups never share a call. There is no timer: a look-up that need
 * not wait for a running call is sent in the same iteration of the event loop.
 */
export function createCoalescer<Key, Value>(options: {
  maxBatch: number;
  /**
   * The maximum number of running calls of `load` per group; 1 by default. With 2, this process handles the
   * result of one call while the database works on the other call.
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
      // The callers get their values in the next iteration of the event loop. So the next query is sent to
      // the database before the callers continue.
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
      // The first look-up of an event loop iteration schedules a call of `load`. Later look-ups of the same
      // iteration share this call.
      const isFirst = queue.waiting.push({ key, resolve, reject }) === 1;
      if (!isFirst || queue.running >= maxInFlight) return;
      queue.running++;
      setImmediate(runNext, group, queue);
    });
}
