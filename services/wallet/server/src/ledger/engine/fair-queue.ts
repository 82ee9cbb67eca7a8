// A bounded queue that takes from the waiting packages in turn: a busy one cannot starve the others.

export interface FairQueue<T> {
  readonly size: () => number;
  /** False when the queue is full. */
  push(packageId: number, item: T): boolean;
  /** Whether anything of this package waits. */
  has(packageId: number): boolean;
  /** How many would be taken before one more of this package, if all came in turn. */
  ahead(packageId: number): number;
  /** Up to `max` items, one from each waiting package in turn. */
  take(max: number): T[];
  /** Takes out the first of each package for as long as they are named. */
  drop(isNamed: (item: T) => boolean): T[];
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
      const lines = waiting.size + (queue ? 0 : 1);
      return Math.min(size, (queue?.length ?? 0) * lines + lines - 1);
    },
    take: (max) => {
      const taken = waiting.size === 1 ? takeAlone(waiting, max) : takeInTurn(waiting, max);
      size -= taken.length;
      return taken;
    },
    drop: (isNamed) => {
      const dropped: T[] = [];
      for (const [packageId, queue] of waiting) {
        const kept = queue.findIndex((item) => !isNamed(item));
        dropped.push(...queue.splice(0, kept === -1 ? queue.length : kept));
        if (queue.length === 0) waiting.delete(packageId);
      }
      size -= dropped.length;
      return dropped;
    },
  };
}

function takeAlone<T>(waiting: Map<number, T[]>, max: number): T[] {
  const [[packageId, queue] = [0, []]] = waiting;
  if (queue.length > max) return queue.splice(0, max);
  waiting.delete(packageId);
  return queue;
}

function takeInTurn<T>(waiting: Map<number, T[]>, max: number): T[] {
  const lists = [...waiting];
  const counts = lists.map(() => 0);
  const taken: T[] = [];
  for (let turn = 0, found = true; found && taken.length < max; turn++) {
    found = false;
    for (const [i, [, queue]] of lists.entries()) {
      const item = queue[turn];
      if (item === undefined || taken.length >= max) continue;
      taken.push(item);
      counts[i] = turn + 1;
      found = true;
    }
  }
  for (const [i, [packageId, queue]] of lists.entries()) {
    const count = counts[i] ?? 0;
    // Served packages go to the back, so that a full batch does not always favour the first ones.
    if (count === 0) continue;
    waiting.delete(packageId);
    if (count < queue.length) waiting.set(packageId, queue.slice(count));
  }
  return taken;
}
