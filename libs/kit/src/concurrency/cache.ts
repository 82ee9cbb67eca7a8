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
  /** A read after this time loads the entry again. Infinite once the load is scheduled. */
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
    set: (key, { value, until, renewFrom }) => {
      const own = weight?.of(value) ?? 0;
      if (weight && own > weight.max) return;
      drop(key);
      while (map.size >= maxEntries || (weight && total + own > weight.max)) {
        const oldest = findOldest();
        if (oldest === undefined) break;
        drop(oldest);
      }
      // A literal, because V8 takes three times as long to read 10,000 objects that were made by spread.
      map.set(key, { value, until, renewFrom, weight: own });
      total += own;
    },
    delete: drop,
    clear: () => {
      map.clear();
      total = 0;
    },
  };
}

interface CacheOptions<Value> {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly load: (key: string) => Promise<Value | undefined>;
  /** An entry that is read at this age is loaded again in the background, together with others. */
  readonly renew?: { afterMs: number; everyMs: number };
  /** The weight of an entry, and the maximum weight of all entries together. */
  readonly weight?: Weight<Value>;
  readonly now?: () => number;
}

/** Returns a function that collects keys. `everyMs` after the first one, `handle` gets all of them. */
function collectKeys(everyMs: number, handle: (key: string) => void): (key: string) => void {
  let collected: string[] = [];
  const flush = () => {
    const keys = collected;
    collected = [];
    for (const key of keys) handle(key);
  };
  return (key) => {
    if (collected.push(key) === 1) setTimeout(flush, everyMs).unref();
  };
}

/**
 * Concurrent callers of one key share one load. A missing value is not cached, so that a new entry
 * is found at once. Neither is the result of a load whose key was deleted meanwhile.
 */
export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  // A monotonic clock: one that is set back would extend the life of every entry.
  const { now = () => performance.now(), renew } = options;
  const renewAfterMs = renew?.afterMs ?? Number.POSITIVE_INFINITY;
  const entries = createBoundedMap(options.maxEntries, options.weight);
  const loading = new Map<string, Promise<Value | undefined>>();

  const save = (key: string, value: Value | undefined, at: number) => {
    if (value === undefined) entries.delete(key);
    else entries.set(key, { value, until: at + options.ttlMs, renewFrom: at + renewAfterMs });
  };

  const load = (key: string): Promise<Value | undefined> => {
    const startedAt = now();
    const promise: Promise<Value | undefined> = options
      .load(key)
      .then((value) => {
        if (loading.get(key) === promise) save(key, value, startedAt);
        return value;
      })
      .finally(() => {
        if (loading.get(key) === promise) loading.delete(key);
      });
    loading.set(key, promise);
    return promise;
  };

  /** If the load fails, the entry serves until its time is up. The next `get` reports the error. */
  const renewLater = collectKeys(renew?.everyMs ?? 0, (key) => {
    if (entries.map.has(key) && !loading.has(key)) load(key).catch(() => undefined);
  });

  const peek = (key: string): Value | undefined => {
    const entry = entries.map.get(key);
    if (!entry) return undefined;
    const at = now();
    if (entry.until <= at) {
      entries.delete(key);
      return undefined;
    }
    if (at >= entry.renewFrom) {
      entry.renewFrom = Number.POSITIVE_INFINITY;
      renewLater(key);
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
