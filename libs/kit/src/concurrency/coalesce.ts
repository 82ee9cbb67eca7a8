// Turns concurrent look-ups into few queries: what is asked while they run goes into the next.

export type Coalesced<Key, Value> = (group: string, key: Key) => Promise<Value | undefined>;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<Key, Value> {
  waiting: Waiting<Key, Value>[];
  /** Loads under way, and one that is about to start. */
  running: number;
}

/**
 * At most `maxInFlight` loads of a group are under way, each of at most `maxBatch` keys; groups
 * never share one. There is no timer: alone, a look-up goes out in the same turn of the event loop.
 */
export function createCoalescer<Key, Value>(options: {
  maxBatch: number;
  /** Two let this process work on one answer while the database works on the next. */
  maxInFlight?: number;
  /** Answers in the order of the keys, undefined for what is not there. */
  load: (group: string, keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
}): Coalesced<Key, Value> {
  const { maxBatch, maxInFlight = 1 } = options;
  const queues = new Map<string, Queue<Key, Value>>();

  const runNext = async (group: string, queue: Queue<Key, Value>): Promise<void> => {
    const batch = queue.waiting.splice(0, maxBatch);
    try {
      const values = await options.load(
        group,
        batch.map((each) => each.key),
      );
      // In the next turn: by then the next load is on its way, and works while these are answered.
      setImmediate(() => {
        for (const [place, each] of batch.entries()) each.resolve(values[place]);
      });
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
    if (queue.waiting.length > 0) void runNext(group, queue);
    else if (--queue.running === 0) queues.delete(group);
  };

  return (group, key) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(group);
      if (!queue) {
        queue = { waiting: [], running: 0 };
        queues.set(group, queue);
      }
      // Who is first starts a load, though not at once: what else this turn brings in shares it.
      const isFirst = queue.waiting.push({ key, resolve, reject }) === 1;
      if (!isFirst || queue.running >= maxInFlight) return;
      queue.running++;
      setImmediate(runNext, group, queue);
    });
}
