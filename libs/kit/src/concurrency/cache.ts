// A bounded cache with a time limit, which is the safety net for missed invalidations.

/**
 * Returns a function that finds the oldest key of the map. Its caller must delete the key, because each
 * call continues after the last one. A new iterator would skip all deleted entries first, which takes
 * half a millisecond with half a million entries.
 */
export function trackOldest<Key>(map: ReadonlyMap<Key, unknown>): () => Key | undefined {
  let keys = map.keys();
  return () => {
    let next = keys.next();
    if (next.done) {
      keys = map.keys();
      next = keys.next();
    }
    return next.done ? undefined : next.value;
  };
}

export interface Cache<Value> {
  get(key: string): Promise<Value | undefined>;
  /** The value in memory, without loading it. */
  peek(key: string): Value | undefined;
  delete(key: string): void;
  clear(): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly weight: number;
  /** The time from which it is to be loaded again; infinite once that is scheduled. */
  renewFrom: number;
}

interface BoundedMap<Value> {
  readonly map: ReadonlyMap<string, Entry<Value>>;
  /** Evicts the oldest entries to make room. An entry above the maximum weight is not stored. */
  set(key: string, entry: Omit<Entry<Value>, 'weight'>): void;
  delete(key: string): void;
  clear(): void;
}

interface Weight<Value> {
  readonly of: (value: Value) => number;
  readonly max: number;
}

function createBoundedMap<Value>(
  maxEntries: number,
  weight: Weight<Value> | undefined,
): BoundedMap<Value> {
  const map = new Map<string, Entry<Value>>();
  const findOldest = trackOldest(map);
  let total = 0;
  const drop = (key: string) => {
    total -= map.get(key)?.weight ?? 0;
    map.delete(key);
  };
  return {
    map,
    set: (key, entry) => {
      const own = weight?.of(entry.value) ?? 0;
      if (weight && own > weight.max) return;
      drop(key);
      while (map.size >= maxEntries || (weight && total + own > weight.max)) {
        const oldest = findOldest();
        if (oldest === undefined) break;
        drop(oldest);
      }
      map.set(key, { ...entry, weight: own });
      total += own;
    },
    delete: drop,
    clear: () => {
      map.clear();
      total = 0;
    },
  };
}

/**
 * Concurrent callers of one key share one load. A missing value is not cached, so that a new entry
 * is found at once. Neither is the result of a load whose key was deleted meanwhile.
 */
export function createCache<Value>(options: {
  ttlMs: number;
  maxEntries: number;
  load: (key: string) => Promise<Value | undefined>;
  /** An entry that is read at this age is loaded again in the background, together with others. */
  renew?: { afterMs: number; everyMs: number };
  /** The weight of an entry, and the maximum weight of all entries together. */
  weight?: Weight<Value>;
  now?: () => number;
}): Cache<Value> {
  // A monotonic clock: one that is set back would extend the life of every entry.
  const { now = () => performance.now(), weight, renew } = options;
  const entries = createBoundedMap(options.maxEntries, weight);
  const loading = new Map<string, Promise<Value | undefined>>();
  let due: string[] = [];

  const load = (key: string): Promise<Value | undefined> => {
    const started = now();
    const promise: Promise<Value | undefined> = options
      .load(key)
      .then((value) => {
        if (loading.get(key) !== promise) return value;
        if (value === undefined) entries.delete(key);
        else {
          const renewFrom = renew ? started + renew.afterMs : Number.POSITIVE_INFINITY;
          entries.set(key, { value, until: started + options.ttlMs, renewFrom });
        }
        return value;
      })
      .finally(() => {
        if (loading.get(key) === promise) loading.delete(key);
      });
    loading.set(key, promise);
    return promise;
  };

  /** If it fails, the entry serves until its time is up. The next `get` after that reports the error. */
  const renewDue = () => {
    for (const key of due) {
      if (entries.map.has(key) && !loading.has(key)) load(key).catch(() => undefined);
    }
    due = [];
  };

  const peek = (key: string): Value | undefined => {
    const entry = entries.map.get(key);
    if (!entry) return undefined;
    const at = now();
    if (entry.until <= at) {
      entries.delete(key);
      return undefined;
    }
    if (at >= entry.renewFrom && renew) {
      entry.renewFrom = Number.POSITIVE_INFINITY;
      if (due.push(key) === 1) setTimeout(renewDue, renew.everyMs).unref();
    }
    return entry.value;
  };

  return {
    peek,
    get: async (key) => peek(key) ?? loading.get(key) ?? load(key),
    delete: (key) => {
      entries.delete(key);
      loading.delete(key);
    },
    clear: () => {
      entries.clear();
      loading.clear();
    },
  };
}
