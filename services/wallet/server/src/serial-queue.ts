// Runs one task at a time. The other tasks wait in memory, in the order of their arrival.
import { fail } from './errors.ts';

export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * A queue for tasks that wait for the same lock, so that a burst of them does not occupy all database
 * connections.
 */
export function createSerialQueue(options: { maxWaiting: number }): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting >= options.maxWaiting) throw fail('overloaded');
    waiting++;
    const mine = last.then(work);
    last = mine.then(
      () => waiting--,
      () => waiting--,
    );
    return await mine;
  };
}

export type SerialQueuePerKey<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>;

/** One queue per key. Tasks of different keys do not wait for each other; an empty queue is deleted. */
export function createSerialQueuePerKey<Key>(options: { maxWaiting: number }): SerialQueuePerKey<Key> {
  const queues = new Map<Key, { readonly enqueue: SerialQueue; size: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { enqueue: createSerialQueue(options), size: 0 };
    queues.set(key, queue);
    queue.size++;
    try {
      return await queue.enqueue(work);
    } finally {
      queue.size--;
      if (queue.size === 0) queues.delete(key);
    }
  };
}
