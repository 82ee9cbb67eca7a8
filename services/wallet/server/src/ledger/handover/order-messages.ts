// The messages about orders and balances between the processes of a wallet.
import type { BalanceRead, LedgerFailure } from '../engine/ledger.ts';
import type { AnyOrder, AnyReceipt } from '../engine/pending-order.ts';

/** An order, or a request for a balance. */
export type LedgerRequest = AnyOrder | { readonly packageId: number; readonly account: bigint };

export interface LedgerReply {
  /** Whether a further order of the package would be rejected now. */
  readonly isFull: boolean;
  readonly receipt?: AnyReceipt | undefined;
  readonly read?: BalanceRead | undefined;
  readonly failure?: { readonly code: LedgerFailure['code']; readonly cause: string | undefined };
}
