// The answer to one failure too many: when to come back, and which limit it was.
import type { ServiceError } from '@counterfoil/kit/errors';
import type { Throttle } from '@counterfoil/kit/throttle';
import { fail } from './errors.ts';

export const refuseTooMany = (
  policy: string,
  throttle: Throttle,
  { retryAfterSeconds: seconds }: { retryAfterSeconds: number },
): ServiceError =>
  fail('rate_limited', {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"${policy}";q=${throttle.perMinute};w=60`,
      ratelimit: `"${policy}";r=0;t=${seconds}`,
    },
  });
