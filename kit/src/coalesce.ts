// Turns concurrent look-ups into few queries: what is asked while one runs goes into the next.

export type Coalesced<Key, Value> = (group: string, key: Key) => Promise<Value | undefined>;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One load per group is under way at a time, of at most `maxBatch` keys; groups never share one.
 * There is no timer: alone, a look-up goes out in the same turn of the event loop.
 */
export function createCoalescer<Key, Value>(options: {
  maxBatch: number;
  /** Answers in the order of the keys, undefined for what is not there. */
  load: (group: string, keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>;
}): Coalesced<Key, Value> {
  const queues = new Map<string, Waiting<Key, Value>[]>();

  const runNext = async (group: string, queue: Waiting<Key, Value>[]): Promise<void> => {
    const batch = queue.splice(0, options.maxBatch);
    try {
      const values = await options.load(
        group,
        batch.map((each) => each.key),
      );
      for (const [place, each] of batch.entries()) each.resolve(values[place]);
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
    if (queue.length === 0) queues.delete(group);
    else setImmediate(runNext, group, queue);
  };

  return (group, key) =>
    new Promise((resolve, reject) => {
      const waiting = { key, resolve, reject };
      const queue = queues.get(group);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const opened = [waiting];
      queues.set(group, opened);
      // Not at once: what else this turn brings in shares the load.
      setImmediate(runNext, group, opened);
    });
}
