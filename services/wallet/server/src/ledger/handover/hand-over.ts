// Hands orders to the process that writes their package, and resolves them with its replies.
import type { Peer } from '@counterfoil/kit/process/peers/peer';
import type { LastCredits } from '../engine/last-credits.ts';
import { type Ledger, LedgerFailure } from '../engine/ledger.ts';
import type { AnyOrder, AnyReceipt } from '../engine/pending-order.ts';
import type { LedgerReply, LedgerRequest } from './order-messages.ts';

/** The connection to a process that writes packages. */
export type Writer = Peer<LedgerRequest, LedgerReply>;

/** Submits any order to a ledger. The public methods differ only in their types. */
export const submitAny = (ledger: Ledger, order: AnyOrder) =>
  (ledger.submit as (order: AnyOrder) => Promise<AnyReceipt | undefined>)(order);

/** The orders of a package that wait for the reply of the process that writes it. */
interface OpenPackage {
  orders: number;
  /** Whether the last reply said that a further order would be rejected. */
  isFull: boolean;
}

/** Rejected orders share this error, because thousands of them may be rejected at the same time. */
const overloaded = new LedgerFailure('overloaded');

export type Handover = ReturnType<typeof createHandover>;

export function createHandover({ own, credits }: { readonly own: Ledger; readonly credits: LastCredits }) {
  const packages = new Map<number, OpenPackage>();
  let handedOver = 0;
  const isFull = (writer: Writer, packageId: number) =>
    writer.isFull() || packages.get(packageId)?.isFull === true;
  const begin = (packageId: number): OpenPackage => {
    const known = packages.get(packageId) ?? { orders: 0, isFull: false };
    packages.set(packageId, known);
    known.orders++;
    handedOver++;
    return known;
  };
  const end = (packageId: number, known: OpenPackage) => {
    if (--known.orders === 0) packages.delete(packageId);
  };
  const submit = (writer: Writer, order: AnyOrder) =>
    new Promise<AnyReceipt | undefined>((resolve, reject) => {
      const { packageId } = order;
      if (isFull(writer, packageId)) {
        reject(overloaded);
        return;
      }
      const known = begin(packageId);
      const fail = (failure: LedgerFailure) => {
        if (failure.code === 'outcome_unknown') credits.invalidate(packageId);
        reject(failure);
      };
      writer.send(order, {
        onReply: (reply) => {
          known.isFull = reply.isFull;
          end(packageId, known);
          if (reply.failure) {
            fail(toFailure(reply.failure));
            return;
          }
          if (reply.receipt) credits.store(packageId, reply.receipt.credit);
          resolve(reply.receipt);
        },
        onLost: (wasSent) => {
          end(packageId, known);
          if (wasSent)
            fail(new LedgerFailure('outcome_unknown', new Error('the writing process did not reply')));
          else resolve(submitAny(own, order));
        },
      });
    });
  return {
    submit,
    isFull,
    /** Whether an order of this package waits for its reply. */
    isOpen: (packageId: number) => packages.has(packageId),
    /** The number of orders that were handed over since the start. */
    count: () => handedOver,
  };
}

function toFailure({ code, cause }: NonNullable<LedgerReply['failure']>): LedgerFailure {
  // An overload of the queue has no cause.
  if (cause === undefined) return code === 'overloaded' ? overloaded : new LedgerFailure(code);
  return new LedgerFailure(code, new Error(cause));
}
