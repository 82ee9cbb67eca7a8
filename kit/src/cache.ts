// A bounded cache with a time limit: the limit is the safety net behind explicit invalidation.

export interface Cache<Value> {
  get(key: string): Promise<Value | undefined>;
  delete(key: string): void;
  clear(): void;
}

/**
 * Concurrent callers of one key share one load. What is not there is not remembered, so a new
 * entry works at once. A load that was under way when its key was forgotten is not kept either.
 */
export function createCache<Value>(options: {
  ttlMs: number;
  maxEntries: number;
  load: (key: string) => Promise<Value | undefined>;
  now?: () => number;
}): Cache<Value> {
  const { now = Date.now } = options;
  const entries = new Map<string, { value: Value; until: number }>();
  const loading = new Map<string, Promise<Value | undefined>>();

  const load = (key: string): Promise<Value | undefined> => {
    const started = now();
    const promise: Promise<Value | undefined> = options
      .load(key)
      .then((value) => {
        if (value !== undefined && loading.get(key) === promise) {
          if (entries.size >= options.maxEntries) {
            entries.delete(entries.keys().next().value ?? key);
          }
          entries.set(key, { value, until: started + options.ttlMs });
        }
        return value;
      })
      .finally(() => {
        if (loading.get(key) === promise) loading.delete(key);
      });
    loading.set(key, promise);
    return promise;
  };

  return {
    get: async (key) => {
      const entry = entries.get(key);
      if (entry && entry.until > now()) return entry.value;
      entries.delete(key);
      return loading.get(key) ?? load(key);
    },
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
