// The test codes, and the simulated errors and delays of three of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { createPermits } from '@counterfoil/kit/concurrency/permits';
import type { ServiceError } from '@counterfoil/kit/http/errors';
import { fail } from '../../errors.ts';
import { normaliseCode } from '../code.ts';

/** Makes a test code. It has the form of a real code, because plug-ins may check the form. */
export const makeTestCode = (end: string) => `7e570000-0000-4000-8000-${end.padStart(12, '0')}`;

/** Codes that simulate errors. They are not stored, and are answered without a lookup. */
export const playedCodes = { rateLimited: makeTestCode('429'), unavailable: makeTestCode('503') } as const;

/** A valid code whose answer is delayed, to test time-outs. */
export const slowCode = makeTestCode('2000');

/**
 * Describes the test codes in the API reference. docs/guide/sandbox.md lists all answers, and a test compares
 * that page with the service.
 */
export const describeTestCodes =
  'Test codes are `7e570000-0000-4000-8000-` and 12 digits that end in 0001 (valid), ' +
  '0002 (Extended, downloaded), 0003 (support is over), 0004 (no support), ' +
  '0005 and 0006 (other items), 0011 (refunded), 0012 (cancelled), ' +
  '0013 (disputed), 0404 (unknown), 0429 (too many wrong codes), 0503 (unavailable), 2000 (valid after 2 s).';

const slowMs = 2000;
/**
 * The maximum number of delayed answers at a time, per workspace (`each`) and in total (`all`). Each delayed
 * answer occupies a connection.
 */
const maxSlow = { each: 20, all: 100 };

/** Waits before the answer to `slowCode` is sent. */
export type WaitForSlowCode = (ms: number) => Promise<unknown>;

/**
 * Simulates the answers of test codes. Called only for test keys. `refuse` makes the 429 error that a live
 * key would get.
 */
export function createPlayTestCode(wait: WaitForSlowCode = sleep) {
  const slow = createPermits(maxSlow);
  return async (
    asked: { workspaceId: bigint; code: string },
    refuse: (counted: { retryAfterSeconds: number }) => ServiceError,
  ): Promise<void> => {
    const code = normaliseCode(asked.code);
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
