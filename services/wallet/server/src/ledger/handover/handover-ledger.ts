// Lets one process write each package: the other processes of the machine hand its orders over.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Peer } from '@counterfoil/kit/process/peers/peer';
import { openPeers } from '@counterfoil/kit/process/peers/peers';
import { createLastCredits } from '../engine/last-credits.ts';
import { type BalanceRead, type Ledger, LedgerFailure } from '../engine/ledger.ts';
import type { AnyOrder, AnyReceipt } from '../engine/pending-order.ts';
import type { LedgerReply, LedgerRequest } from './order-messages.ts';
import { serveOrders } from './serve-orders.ts';

export interface HandoverCounters {
  /** Orders that were handed over. */
  handedOver: number;
  /** Orders that another process did not get and that this process submitted itself. */
  takenBack: number;
  /** Orders that another process got and did not answer. */
  unknown: number;
}

export interface HandoverLedger extends Ledger {
  readonly counts: Readonly<HandoverCounters>;
  /** The number of other processes to which this process hands orders over. */
  countWriters(): number;
  /** Asks the other processes to write their orders themselves. */
  leave(): void;
  /** Resolves when the orders of the other processes are answered. */
  close(): Promise<void>;
}

export interface HandoverOptions {
  readonly own: Ledger;
  /** The folder of the sockets over which the processes hand orders over. */
  readonly folder: string;
  readonly number: number;
  readonly count: number;
  /** A handed-over order that is not answered after this time gets `outcome_unknown`. */
  readonly answerWithinMs?: number;
  readonly sendWithinMs?: number;
  readonly maxSilenceMs?: number;
}

type Writer = Peer<LedgerRequest, LedgerReply>;

/** The orders of a package that wait for the reply of the process that writes it. */
interface OpenPackage {
  orders: number;
  /** Whether the last reply said that a further order would be rejected. */
  isFull: boolean;
}

/** Rejected orders share this error, because thousands of them may be rejected at the same time. */
const overloaded = new LedgerFailure('overloaded');

export async function openHandoverLedger(options: HandoverOptions): Promise<HandoverLedger> {
  const { own, folder, number, count } = options;
  const peers = await openPeers<LedgerRequest, LedgerReply>({
    folder,
    number,
    count,
    handle: serveOrders(own),
    replyWithinMs: options.answerWithinMs ?? deadlineMs(2200),
    sendWithinMs: options.sendWithinMs ?? deadlineMs(250),
    maxSilenceMs: options.maxSilenceMs ?? deadlineMs(1500),
    closeWithinMs: deadlineMs(2500),
  });
  const counts = { handedOver: 0, takenBack: 0, unknown: 0 };
  const credits = createLastCredits();
  const open = new Map<number, OpenPackage>();

  const isFullAt = (writer: Writer, packageId: number) =>
    writer.isFull() || open.get(packageId)?.isFull === true;
  const begin = (packageId: number): OpenPackage => {
    const known = open.get(packageId) ?? { orders: 0, isFull: false };
    open.set(packageId, known);
    known.orders++;
    return known;
  };
  const end = (packageId: number, known: OpenPackage) => {
    if (--known.orders === 0) open.delete(packageId);
  };

  const handOver = (writer: Writer, order: AnyOrder) =>
    new Promise<AnyReceipt | undefined>((resolve, reject) => {
      const { packageId } = order;
      if (isFullAt(writer, packageId)) {
        reject(overloaded);
        return;
      }
      const known = begin(packageId);
      counts.handedOver++;
      writer.send(order, {
        onReply: ({ isFull, receipt, failure }) => {
          known.isFull = isFull;
          end(packageId, known);
          if (receipt) credits.store(packageId, receipt.credit);
          if (!failure) resolve(receipt);
          else reject(toFailure(failure));
        },
        onLost: (wasSent) => {
          end(packageId, known);
          if (!wasSent) {
            counts.takenBack++;
            resolve((own.submit as (order: AnyOrder) => Promise<AnyReceipt | undefined>)(order));
            return;
          }
          counts.unknown++;
          credits.invalidate(packageId);
          reject(new LedgerFailure('outcome_unknown', new Error('the writing process did not answer')));
        },
      });
    });

  const submit = (order: AnyOrder) => {
    const writer = peers.find(order.packageId);
    return writer ? handOver(writer, order) : (own.submit as Submit)(order);
  };
  const askBalance = (writer: Writer, packageId: number, account: bigint) =>
    new Promise<BalanceRead | undefined>((resolve) => {
      writer.send(
        { packageId, account },
        { onReply: ({ read }) => resolve(read), onLost: () => resolve(undefined) },
      );
    });
  return {
    ...own,
    counts,
    countWriters: peers.countOpen,
    submit: submit as Ledger['submit'],
    submitBatch: submit as Ledger['submitBatch'],
    readBalance: (packageId, account) => {
      const writer = peers.find(packageId);
      if (!writer) return own.readBalance(packageId, account);
      // Without open orders, the other process probably has no batch that could serve the read.
      return open.has(packageId) && !writer.isFull() ? askBalance(writer, packageId, account) : undefined;
    },
    isFull: (packageId) => {
      const writer = peers.find(packageId);
      return writer ? isFullAt(writer, packageId) : own.isFull(packageId);
    },
    peekCredit: (packageId) => (peers.find(packageId) ? credits.find(packageId) : own.peekCredit(packageId)),
    // A process caches only the accounts of packages that it writes.
    beginReading: (packageId) => (peers.find(packageId) ? () => {} : own.beginReading(packageId)),
    readHead: async (packageId) => {
      if (!peers.find(packageId)) await own.readHead(packageId);
    },
    drain: async () => {
      await peers.drain();
      await own.drain();
    },
    leave: peers.leave,
    close: peers.close,
  };
}

type Submit = (order: AnyOrder) => Promise<AnyReceipt | undefined>;

function toFailure({ code, cause }: NonNullable<LedgerReply['failure']>): LedgerFailure {
  // The answer to an overload of the queue has no cause.
  if (cause === undefined) return code === 'overloaded' ? overloaded : new LedgerFailure(code);
  return new LedgerFailure(code, new Error(cause));
}
