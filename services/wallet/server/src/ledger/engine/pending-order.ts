// An order that waits for its answer, and the order's content.
import type { AnyCommand, BatchCommand, Command } from '../rules/command.ts';
import type { BatchOutcome, Outcome, SingleOutcome } from '../rules/decision.ts';
import { LedgerFailure } from './failure.ts';

export interface Order<Asked extends AnyCommand = Command> {
  readonly packageId: number;
  readonly overdraftLimit: bigint;
  readonly command: Asked;
  /**
   * Another account of the same player. The receipt contains the balance of this account too. The account may
   * not exist.
   */
  readonly alsoReads?: bigint | undefined;
}

/** A single order or a batch order. */
export type AnyOrder = Order<AnyCommand>;
export type BatchOrder = Order<BatchCommand>;

/** The answer to an order, with the package's credit right after the order was applied. */
export interface Receipt<Decided extends Outcome = SingleOutcome> {
  readonly outcome: Decided;
  readonly credit: bigint;
  /**
   * The balance of the account `alsoReads` right after the order was applied; 0 if this account does not
   * exist. The balance is certain only if the order stored movements, because only a write checks the
   * balance. Undefined if the order has no `alsoReads`, or if the balance is unknown.
   */
  readonly alsoRead?: bigint | undefined;
}

export type BatchReceipt = Receipt<BatchOutcome>;
/** The answer to a single order or to a batch order. */
export type AnyReceipt = Receipt<Outcome>;

export interface PendingOrder {
  readonly order: AnyOrder;
  /** The time at which the order was submitted, from `performance.now()`. */
  readonly since: number;
  /** Answers the order; undefined means that the order needs an account that does not exist. */
  readonly resolve: (receipt: AnyReceipt | undefined) => void;
  readonly reject: (failure: LedgerFailure) => void;
}

/**
 * Rejects all orders with the same error object. Thousands of orders may expire at the same time, and a stack
 * trace for each of them would take too much time.
 */
export function rejectOverloaded(pending: readonly PendingOrder[]): void {
  if (pending.length === 0) return;
  const failure = new LedgerFailure('overloaded');
  for (const { reject } of pending) reject(failure);
}
