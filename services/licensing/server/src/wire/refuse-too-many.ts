// The answer to one failure too many: when to come back, and which limit it was.
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { throttleHeaders } from '@counterfoil/kit/http/rate-limit-headers';
import type { Throttle } from '@counterfoil/kit/http/throttle';
import { fail } from '../errors.ts';

export const refuseTooMany = (
  policy: string,
  throttle: Throttle,
  counted: { retryAfterSeconds: number },
): ServiceError => fail('rate_limited', { headers: throttleHeaders(policy, throttle, counted) });
