// Submits the orders of other processes to this process's ledger.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { type Ledger, LedgerFailure } from '../engine/ledger.ts';
import { submitAny } from './hand-over.ts';
import type { LedgerReply, LedgerRequest } from './order-messages.ts';

/**
 * An order that arrives later than this after it was sent is rejected. It would also wait in the queue, and
 * the process that sent it must answer its caller in time.
 */
const maxAgeMs = deadlineMs(1000);

/** Returns a function that serves one request. Its promise never rejects. */
export function serveOrders(own: Ledger) {
  return async (request: LedgerRequest, ageMs: number): Promise<LedgerReply> => {
    const { packageId } = request;
    if (!('command' in request)) {
      const read = await own.readBalance(packageId, request.account);
      return { isFull: own.isFull(packageId), read };
    }
    try {
      if (ageMs > maxAgeMs) throw new LedgerFailure('overloaded');
      const receipt = await submitAny(own, request);
      return { isFull: own.isFull(packageId), receipt };
    } catch (error) {
      return { isFull: own.isFull(packageId), failure: describe(error) };
    }
  };
}

function describe(error: unknown): NonNullable<LedgerReply['failure']> {
  if (!(error instanceof LedgerFailure)) return { code: 'internal_error', cause: String(error) };
  return { code: error.code, cause: error.cause === undefined ? undefined : String(error.cause) };
}
