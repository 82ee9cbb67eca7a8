// A bounded cache with a time limit: the limit is the safety net behind explicit invalidation.
import { trackOldest } from './oldest-key.ts';

export interface Cache<Value> {
  get(key: string): Promise<Value | undefined>;
  /** What is in memory, without waiting for anything. */
  peek(key: string): Value | undefined;
  delete(key: string): void;
  clear(): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly weight: number;
  /** From then on it is to be loaded again; never, once that was said. */
  renewFrom: number;
}

/**
 * Concurrent callers of one key share one load. What is not there is not remembered, so a new
 * entry works at once. A load that was under way when its key was forgotten is not kept either.
 */
export function createCache<Value>(options: {
  ttlMs: number;
  maxEntries: number;
  load: (key: string) => Promise<Value | undefined>;
  /** What is asked for at this age is loaded again behind the scenes, many together, in time. */
  renew?: { afterMs: number; everyMs: number };
  /** What an entry weighs, where entries differ much, and what all may weigh together. */
  weight?: { of: (value: Value) => number; max: number };
  now?: () => number;
}): Cache<Value> {
  // Not the calendar's time: a clock that is set back would lengthen every life.
  const { now = () => performance.now(), weight, renew } = options;
  const entries = new Map<string, Entry<Value>>();
  const loading = new Map<string, Promise<Value | undefined>>();
  const findOldest = trackOldest(entries);
  let total = 0;
  let due: string[] = [];

  const drop = (key: string) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };

  const keep = (key: string, value: Value, until: number) => {
    const own = weight?.of(value) ?? 0;
    if (weight && own > weight.max) return;
    drop(key);
    while (entries.size >= options.maxEntries || (weight && total + own > weight.max)) {
      const oldest = findOldest();
      if (oldest === undefined) break;
      drop(oldest);
    }
    const renewFrom = renew ? until - options.ttlMs + renew.afterMs : Number.POSITIVE_INFINITY;
    entries.set(key, { value, until, weight: own, renewFrom });
    total += own;
  };

  const load = (key: string): Promise<Value | undefined> => {
    const started = now();
    const promise: Promise<Value | undefined> = options
      .load(key)
      .then((value) => {
        if (loading.get(key) !== promise) return value;
        if (value === undefined) drop(key);
        else keep(key, value, started + options.ttlMs);
        return value;
      })
      .finally(() => {
        if (loading.get(key) === promise) loading.delete(key);
      });
    loading.set(key, promise);
    return promise;
  };

  /** Should it fail, what is there serves until its time is up, and who asks then is told why. */
  const renewDue = () => {
    for (const key of due) {
      if (entries.has(key) && !loading.has(key)) load(key).catch(() => undefined);
    }
    due = [];
  };

  const peek = (key: string): Value | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    const at = now();
    if (entry.until <= at) {
      drop(key);
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
      drop(key);
      loading.delete(key);
    },
    clear: () => {
      entries.clear();
      loading.clear();
      total = 0;
    },
  };
}
