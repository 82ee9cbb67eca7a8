// The calls that manage purchases: sales, changes of state, download links, buyers and the balance.
import { checkAmount } from '../../sdk-shared/src/amount.ts';
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls, type Id, type IssueOptions, type Repeat, step } from './managed-calls.ts';
import type * as wire from './wire.ts';

const purchases = '/api/v1/purchases';
const at = (purchaseId: Id) => `${purchases}/${step(purchaseId)}`;

export function createPurchaseCalls(send: Send) {
  const { read, write, writeByKey } = createCalls(send);
  return {
    listPurchases: (query: wire.ListPurchasesQuery = {}, options?: CallOptions) =>
      read<wire.ListPurchasesAnswer>(purchases, query, options),
    getPurchase: (purchaseId: Id, options?: CallOptions) =>
      read<wire.GetPurchaseAnswer>(at(purchaseId), {}, options),
    /** Creates one sale per idempotency key, even if the call is repeated. */
    issuePurchase: async (sale: wire.IssuePurchaseBody, options: IssueOptions = {}) => {
      // The price is checked here, because it is sent as text and `writeByKey` does not check texts.
      if (sale.price !== undefined) checkAmount('price', sale.price);
      return await writeByKey<wire.IssuePurchaseAnswer>(purchases, sale, options);
    },
    eraseBuyer: (buyer: wire.EraseBuyerBody, options?: CallOptions) =>
      write<wire.EraseBuyerAnswer>(['POST', '/api/v1/buyers/erase', 'again'], buyer, options),
    setBalance: async (balance: wire.SetBalanceBody, options?: CallOptions) => {
      checkAmount('balance', balance.balance, { signed: true });
      const path = '/api/v1/account/balance';
      return await write<wire.SetBalanceAnswer>(['PUT', path, 'once'], balance, options);
    },
    ...createStateCalls(send),
  };
}

/**
 * The calls that change a purchase. Refunds, cancellations and extensions of support are retried, because a
 * second attempt changes nothing. The start and the end of a dispute or block are not retried. Between two
 * attempts, the seller may have changed the purchase, and the second attempt would undo that change.
 */
function createStateCalls(send: Send) {
  const { write, writeByKey } = createCalls(send);
  const become =
    <Answer>(verb: string, repeat: Repeat) =>
    (purchaseId: Id, options?: CallOptions) =>
      write<Answer>(['POST', `${at(purchaseId)}/${verb}`, repeat], undefined, options);
  const post = <Answer>(purchaseId: Id, verb: string, body: object, options?: CallOptions) =>
    write<Answer>(['POST', `${at(purchaseId)}/${verb}`, 'again'], body, options);
  return {
    refundPurchase: become<wire.RefundPurchaseAnswer>('refund', 'again'),
    cancelPurchase: become<wire.CancelPurchaseAnswer>('cancel', 'again'),
    disputePurchase: become<wire.DisputePurchaseAnswer>('dispute', 'once'),
    winDispute: become<wire.WinDisputeAnswer>('dispute-won', 'once'),
    blockPurchase: become<wire.BlockPurchaseAnswer>('block', 'once'),
    unblockPurchase: become<wire.UnblockPurchaseAnswer>('unblock', 'once'),
    extendSupport: (purchaseId: Id, support: wire.ExtendSupportBody, options?: CallOptions) =>
      post<wire.ExtendSupportAnswer>(purchaseId, 'support', support, options),
    /** Replaces the code once per idempotency key, even if the call is repeated. */
    reissuePurchase: (purchaseId: Id, options: IssueOptions = {}) =>
      writeByKey<wire.ReissuePurchaseAnswer>(`${at(purchaseId)}/reissue`, undefined, options),
    correctBuyer: (purchaseId: Id, buyer: wire.CorrectBuyerBody, options?: CallOptions) =>
      write<wire.CorrectBuyerAnswer>(['PATCH', at(purchaseId), 'again'], buyer, options),
    makeDownloadLink: (purchaseId: Id, link: wire.MakeDownloadLinkBody = {}, options?: CallOptions) =>
      post<wire.MakeDownloadLinkAnswer>(purchaseId, 'download-links', link, options),
  };
}
