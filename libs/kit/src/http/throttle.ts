// Counts failures per source over a sliding minute, and describes a reached limit in headers.
import { trackOldest } from '../concurrency/cache.ts';

export type Throttle = ReturnType<typeof createThrottle>;

const windowMs = 60_000;
/**
 * The maximum number of stored sources. It limits the memory that an attacker with many addresses can use.
 */
const maxSources = 50_000;

interface Counter {
  windowStart: number;
  current: number;
  previous: number;
}

/** Creates a throttle. If `perMinute` is 0, nothing is limited. */
export function createThrottle(options: { perMinute: number; now?: () => number }) {
  const { perMinute, now = Date.now } = options;
  const counters = new Map<string, Counter>();
  const findOldest = trackOldest(counters);

  const roll = (counter: Counter, time: number) => {
    const elapsed = time - counter.windowStart;
    if (elapsed < windowMs) return;
    counter.previous = elapsed < 2 * windowMs ? counter.current : 0;
    counter.current = 0;
    counter.windowStart = time - (elapsed % windowMs);
  };

  const estimate = (counter: Counter, time: number) => {
    const share = 1 - (time - counter.windowStart) / windowMs;
    return counter.current + counter.previous * share;
  };

  const find = (source: string, time: number): Counter => {
    let counter = counters.get(source);
    if (!counter) {
      if (counters.size >= maxSources) counters.delete(findOldest() ?? source);
      counter = { windowStart: time, current: 0, previous: 0 };
      counters.set(source, counter);
    }
    roll(counter, time);
    return counter;
  };

  return {
    perMinute,
    /**
     * Counts one failure. If the source has reached the limit, counts nothing and returns the seconds to
     * wait.
     */
    fail: (source: string): { limited: false } | { limited: true; retryAfterSeconds: number } => {
      if (perMinute === 0) return { limited: false };
      const time = now();
      const counter = find(source, time);
      if (estimate(counter, time) >= perMinute) {
        const seconds = Math.ceil((counter.windowStart + windowMs - time) / 1000);
        return { limited: true, retryAfterSeconds: Math.max(1, seconds) };
      }
      counter.current++;
      return { limited: false };
    },
    /** Whether the source has reached its limit. This call counts no failure. */
    isLimited: (source: string): boolean => {
      if (perMinute === 0 || !counters.has(source)) return false;
      const time = now();
      return estimate(find(source, time), time) >= perMinute;
    },
    clear: (source: string): void => void counters.delete(source),
  };
}

/**
 * Returns the headers that describe a reached limit. `policy` is the name of the limit, which the
 * documentation explains.
 */
export const rateLimitHeaders = (limit: {
  policy: string;
  max: number;
  windowSeconds: number;
  retryAfterSeconds: number;
}): Record<string, string> => ({
  'retry-after': String(limit.retryAfterSeconds),
  'ratelimit-policy': `"${limit.policy}";q=${limit.max};w=${limit.windowSeconds}`,
  ratelimit: `"${limit.policy}";r=0;t=${limit.retryAfterSeconds}`,
});

export const throttleHeaders = (
  policy: string,
  { perMinute }: Throttle,
  { retryAfterSeconds }: { retryAfterSeconds: number },
): Record<string, string> =>
  rateLimitHeaders({ policy, max: perMinute, windowSeconds: 60, retryAfterSeconds });
