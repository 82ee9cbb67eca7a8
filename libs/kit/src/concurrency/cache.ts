// A bounded cache. Each entry expires after a time limit. If the invalidation of an entry is lost, the cache
// returns the old value at most until the entry expires.

/**
 * Returns a function that finds the oldest key of the map. The caller must delete each key that the function
 * returns, because the next call continues with the key after it. A new `map.keys()` for each call would be
 * slow: it first skips all deleted entries. With half a million entries, that takes half a millisecond.
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

interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly weight: number;
  /**
   * The first read at or after this time schedules a renewal of the entry. The read then sets this field to
   * infinity, so that only one renewal is scheduled.
   */
  renewFrom: number;
}

interface Weight<Value> {
  readonly of: (value: Value) => number;
  readonly max: number;
}

function createBoundedMap<Value>(maxEntries: number, weight: Weight<Value> | undefined) {
  const map = new Map<string, Entry<Value>>();
  const findOldest = trackOldest(map);
  let total = 0;
  const drop = (key: string) => {
    total -= map.get(key)?.weight ?? 0;
    map.delete(key);
  };
  return {
    map,
    /**
     * Stores an entry, and evicts the oldest entries to make room. An entry that alone exceeds the maximum
     * weight of the cache is not stored.
     */
    set: (key: string, { value, until, renewFrom }: Omit<Entry<Value>, 'weight'>): void => {
      const own = weight?.of(value) ?? 0;
      if (weight && own > weight.max) return;
      drop(key);
      while (map.size >= maxEntries || (weight && total + own > weight.max)) {
        const oldest = findOldest();
        if (oldest === undefined) break;
        drop(oldest);
      }
      // The fields are listed without spread, because V8 takes three times as long to read an object that
      // was created by spread.
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
  /**
   * A read of an entry that is older than `afterMs` returns the entry, and schedules a new load of the
   * entry. The load starts in the background at most `everyMs` after the read.
   */
  readonly renew?: { afterMs: number; everyMs: number };
  /** The weight of an entry, and the maximum weight of all entries together. */
  readonly weight?: Weight<Value>;
  readonly now?: () => number;
}

/**
 * Returns a function that collects keys. `everyMs` after the first key, `handle` is called once for each
 * collected key.
 */
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
 * Creates a cache. Concurrent reads of the same key share one load. If a load finds no value, nothing is
 * cached, so a value that is created later is found at once. If a key is deleted during its load, the result
 * of the load is not cached.
 */
export function createCache<Value>(options: CacheOptions<Value>) {
  // The clock is monotonic, because setting a system clock back would extend the life of every
  // entry.
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

  /**
   * Loads a value again in the background. If this load fails, the old value is served until its time limit.
   * The first `get` after the time limit loads the value again.
   */
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
    /**
     * Returns the cached value, or undefined if there is none. Never waits for a load, but may schedule a
     * renewal.
     */
    peek,
    get: async (key: string): Promise<Value | undefined> => peek(key) ?? loading.get(key) ?? load(key),
    delete: (key: string): void => {
      entries.delete(key);
      loading.delete(key);
    },
    clear: (): void => {
      entries.clear();
      loading.clear();
    },
  };
}
