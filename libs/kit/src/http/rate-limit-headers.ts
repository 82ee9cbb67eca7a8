// The headers of a 429: when to come back, and which limit it was (RateLimit header fields).
import type { Throttle } from './throttle.ts';

export interface ReachedLimit {
  /** What is limited, in a word that callers can look up. */
  readonly policy: string;
  readonly max: number;
  readonly windowSeconds: number;
  readonly retryAfterSeconds: number;
}

export const rateLimitHeaders = (limit: ReachedLimit): Record<string, string> => ({
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
