// A bounded queue that serves packages round-robin, so that a busy package cannot starve the others.

export interface FairQueue<T> {
  readonly size: () => number;
  /** Adds an item; returns false if the queue is full. */
  push(packageId: number, item: T): boolean;
  /** Whether an item of this package is queued. */
  has(packageId: number): boolean;
  /** The number of items that would be taken before a new item of this package. */
  ahead(packageId: number): number;
  /** Removes up to `max` items, one of each package at a time. */
  take(max: number): T[];
  /**
   * Removes items from the front of each package's queue, up to the first item that does not match.
   */
  drop(matches: (item: T) => boolean): T[];
}

export function createFairQueue<T>(maxSize: number): FairQueue<T> {
  let size = 0;
  const waiting = new Map<number, T[]>();
  return {
    size: () => size,
    push: (packageId, item) => {
      if (size >= maxSize) return false;
      const queue = waiting.get(packageId);
      if (queue) queue.push(item);
      else waiting.set(packageId, [item]);
      size++;
      return true;
    },
    has: (packageId) => waiting.has(packageId),
    ahead: (packageId) => {
      const queue = waiting.get(packageId);
      const packages = waiting.size + (queue ? 0 : 1);
      return Math.min(size, (queue?.length ?? 0) * packages + packages - 1);
    },
    take: (max) => {
      const taken = waiting.size === 1 ? takeFromOnly(waiting, max) : takeRoundRobin(waiting, max);
      size -= taken.length;
      return taken;
    },
    drop: (matches) => {
      const dropped: T[] = [];
      for (const [packageId, queue] of waiting) {
        const firstLeft = queue.findIndex((item) => !matches(item));
        dropped.push(...queue.splice(0, firstLeft === -1 ? queue.length : firstLeft));
        if (queue.length === 0) waiting.delete(packageId);
      }
      size -= dropped.length;
      return dropped;
    },
  };
}

function takeFromOnly<T>(waiting: Map<number, T[]>, max: number): T[] {
  const [[packageId, queue] = [0, []]] = waiting;
  if (queue.length > max) return queue.splice(0, max);
  waiting.delete(packageId);
  return queue;
}

function takeRoundRobin<T>(waiting: Map<number, T[]>, max: number): T[] {
  const lists = [...waiting];
  const counts = lists.map(() => 0);
  const taken: T[] = [];
  for (let index = 0, found = true; found && taken.length < max; index++) {
    found = false;
    for (const [i, [, queue]] of lists.entries()) {
      const item = queue[index];
      if (item === undefined || taken.length >= max) continue;
      taken.push(item);
      counts[i] = index + 1;
      found = true;
    }
  }
  for (const [i, [packageId, queue]] of lists.entries()) {
    const count = counts[i] ?? 0;
    // Packages that were served go to the end of the queue, so that full batches do not always favour the
    // same packages.
    if (count === 0) continue;
    waiting.delete(packageId);
    if (count < queue.length) waiting.set(packageId, queue.slice(count));
  }
  return taken;
}
