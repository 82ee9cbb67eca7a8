// What some test codes do before they are looked up: be too many, be unavailable, take their time.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPermits } from '@counterfoil/kit/concurrency/permits';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { fail } from '../errors.ts';
import { foldCode } from '../purchases/code.ts';
import { playedCodes, slowCode } from './test-data.ts';

const slowMs = 2000;
/** Each holds a connection; one workspace's test keys must not hold those of all. */
const maxSlow = { each: 20, all: 100 };

/** Made for a test key's request alone; `refuse` gives the 429 that a live key would get. */
export type PlayTestCode = (
  asked: { readonly workspaceId: bigint; readonly code: string },
  refuse: (counted: { retryAfterSeconds: number }) => ServiceError,
) => Promise<void>;

/** How the answer of the slow code is delayed. */
export type WaitForSlowCode = (ms: number) => Promise<unknown>;

export function createPlayTestCode(wait: WaitForSlowCode = sleep): PlayTestCode {
  const slow = createPermits(maxSlow);
  return async (asked, refuse) => {
    const code = foldCode(asked.code);
    if (code === playedCodes.rateLimited) throw refuse({ retryAfterSeconds: 2 });
    if (code === playedCodes.unavailable) {
      throw fail('unavailable', { cause: new Error('a test key asked for this answer') });
    }
    if (code !== slowCode) return;
    const free = slow.acquire(asked.workspaceId);
    if (!free) throw refuse({ retryAfterSeconds: 2 });
    await wait(slowMs).finally(free);
  };
}
