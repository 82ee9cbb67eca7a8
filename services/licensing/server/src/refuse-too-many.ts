// The answer to one failure too many: when to come back, and which limit it was.
import type { ServiceError } from '@counterfoil/kit/errors';
import { throttleHeaders } from '@counterfoil/kit/rate-limit-headers';
import type { Throttle } from '@counterfoil/kit/throttle';
import { fail } from './errors.ts';

export const refuseTooMany = (
  policy: string,
  throttle: Throttle,
  counted: { retryAfterSeconds: number },
): ServiceError => fail('rate_limited', { headers: throttleHeaders(policy, throttle, counted) });
