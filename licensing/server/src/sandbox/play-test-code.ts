// What some test codes do before they are looked up: be too many, be unavailable, take their time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError } from '@counterfoil/kit/errors';
import { fail } from '../errors.ts';
import { foldCode } from '../purchases/code.ts';
import { playedCodes, slowCode } from './test-data.ts';

const slowMs = 2000;
/** Each holds a connection; one test key must not hold them all. */
const maxSlow = 100;

/** Made for a test key's request alone; `refuse` gives the 429 that a live key would get. */
export type PlayTestCode = (
  code: string,
  refuse: (counted: { retryAfterSeconds: number }) => ServiceError,
) => Promise<void>;

export function createPlayTestCode(): PlayTestCode {
  let slow = 0;
  return async (given, refuse) => {
    const code = foldCode(given);
    if (code === playedCodes.rateLimited) throw refuse({ retryAfterSeconds: 2 });
    if (code === playedCodes.unavailable) {
      throw fail('unavailable', { cause: new Error('a test key asked for this answer') });
    }
    if (code !== slowCode) return;
    if (slow >= maxSlow) throw refuse({ retryAfterSeconds: 2 });
    slow++;
    await sleep(slowMs).finally(() => slow--);
  };
}
