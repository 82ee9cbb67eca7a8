// A ledger that hands the orders of each package to the process of the machine that writes the package.
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { openPeers } from '@counterfoil/kit/process/peers/peers';
import { createLastCredits } from '../engine/last-credits.ts';
import type { BalanceRead, Ledger } from '../engine/ledger.ts';
import type { AnyOrder } from '../engine/pending-order.ts';
import { createHandover, submitAny, type Writer } from './hand-over.ts';
import type { LedgerReply, LedgerRequest } from './order-messages.ts';
import { serveOrders } from './serve-orders.ts';

export interface HandoverLedger extends Ledger {
  /** The number of orders that were handed over since the start. */
  countHandedOver(): number;
  /** The number of other processes to which this process hands orders over. */
  countWriters(): number;
  /**
   * Asks the other processes to write their orders themselves. Resolves when the orders in this process are
   * answered.
   */
  drain(): Promise<void>;
  /** Resolves when the orders of the other processes are answered too. */
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
  /** A process that has orders and sends nothing for this time gets no further orders. */
  readonly maxSilenceMs?: number;
}

/** A read of a balance that waits longer for the writing process is served by the database instead. */
const maxReadMs = 250;

export async function openHandoverLedger(options: HandoverOptions): Promise<HandoverLedger> {
  const { own, folder, number, count } = options;
  const peers = await openPeers<LedgerRequest, LedgerReply>({
    folder,
    number,
    count,
    handle: serveOrders(own),
    replyWithinMs: options.answerWithinMs ?? deadlineMs(2200),
    sendWithinMs: deadlineMs(250),
    maxSilenceMs: options.maxSilenceMs ?? deadlineMs(1500),
    closeWithinMs: deadlineMs(2500),
  });
  const credits = createLastCredits();
  const handover = createHandover({ own, credits });
  const submit = (order: AnyOrder) => {
    const writer = peers.find(order.packageId);
    return writer ? handover.submit(writer, order) : submitAny(own, order);
  };
  return {
    ...own,
    countHandedOver: handover.count,
    countWriters: peers.countOpen,
    submit: submit as Ledger['submit'],
    submitBatch: submit as Ledger['submitBatch'],
    readBalance: (packageId, account) => {
      const writer = peers.find(packageId);
      if (!writer) return own.readBalance(packageId, account);
      // Without open orders, the other process probably has no batch that could serve the read.
      const mayServe = handover.isOpen(packageId) && !writer.isFull();
      return mayServe ? askBalance(writer, packageId, account) : undefined;
    },
    isFull: (packageId) => {
      const writer = peers.find(packageId);
      return writer ? handover.isFull(writer, packageId) : own.isFull(packageId);
    },
    peekCredit: (packageId) => (peers.find(packageId) ? credits.find(packageId) : own.peekCredit(packageId)),
    // A process caches only the accounts of packages that it writes.
    beginReading: (packageId) => (peers.find(packageId) ? () => {} : own.beginReading(packageId)),
    readHead: async (packageId) => {
      if (!peers.find(packageId)) await own.readHead(packageId);
    },
    drain: async () => {
      peers.leave();
      await peers.drain();
      await own.drain();
    },
    close: peers.close,
  };
}

const askBalance = (writer: Writer, packageId: number, account: bigint) =>
  new Promise<BalanceRead | undefined>((resolve) => {
    const timer = setTimeout(resolve, maxReadMs, undefined);
    const finish = (read: BalanceRead | undefined) => {
      clearTimeout(timer);
      resolve(read);
    };
    writer.send(
      { packageId, account },
      { onReply: ({ read }) => finish(read), onLost: () => finish(undefined) },
    );
  });
