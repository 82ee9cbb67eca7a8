// An order that waits for its answer, and the order's content.
import type { Command } from '../rules/command.ts';
import type { Outcome } from '../rules/decision.ts';
import { LedgerFailure } from './failure.ts';

export interface Order {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly command: Command;
}

/** The answer to an order, with the package's credit right after the order was applied. */
export interface Receipt {
  readonly outcome: Outcome;
  readonly credit: bigint;
}

export interface PendingOrder {
  readonly order: Order;
  /** The time of its submission, from `performance.now()`. */
  readonly since: number;
  /** Undefined if the account does not exist. */
  readonly resolve: (receipt: Receipt | undefined) => void;
  readonly reject: (failure: LedgerFailure) => void;
}

/**
 * Rejects all orders with the same error object. Thousands of orders may expire at once, and each
 * new error would capture a stack trace.
 */
export function rejectOverloaded(pending: readonly PendingOrder[]): void {
  if (pending.length === 0) return;
  const failure = new LedgerFailure('overloaded');
  for (const { reject } of pending) reject(failure);
}
