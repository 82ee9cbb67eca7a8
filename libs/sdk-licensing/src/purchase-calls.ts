// Purchases through the management API: sales, changes of state, download links, buyers, the balance.
import { checkAmount } from '../../sdk-shared/src/amount.ts';
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createCalls, type Id, type IssueOptions, type Repeat, step } from './managed-calls.ts';
import type {
  CancelPurchaseAnswer,
  CorrectBuyerAnswer,
  CorrectBuyerBody,
  DisputePurchaseAnswer,
  EraseBuyerAnswer,
  EraseBuyerBody,
  ExtendSupportAnswer,
  ExtendSupportBody,
  GetPurchaseAnswer,
  IssuePurchaseAnswer,
  IssuePurchaseBody,
  ListPurchasesAnswer,
  ListPurchasesQuery,
  MakeDownloadLinkAnswer,
  MakeDownloadLinkBody,
  RefundPurchaseAnswer,
  ReissuePurchaseAnswer,
  SetBalanceAnswer,
  SetBalanceBody,
  WinDisputeAnswer,
} from './wire.ts';

const purchases = '/api/v1/purchases';
const at = (purchaseId: Id) => `${purchases}/${step(purchaseId)}`;

export function createPurchaseCalls(send: Send) {
  const { read, write, writeByKey } = createCalls(send);
  return {
    listPurchases: (query: ListPurchasesQuery = {}, options?: CallOptions) =>
      read<ListPurchasesAnswer>(purchases, query, options),
    getPurchase: (purchaseId: Id, options?: CallOptions) =>
      read<GetPurchaseAnswer>(at(purchaseId), {}, options),
    /** Creates one sale per idempotency key, even if the call is repeated. */
    issuePurchase: async (sale: IssuePurchaseBody, options: IssueOptions = {}) => {
      // The price is sent as text, and `writeByKey` does not check amounts that are sent as text.
      if (sale.price !== undefined) checkAmount('price', sale.price);
      return await writeByKey<IssuePurchaseAnswer>(purchases, sale, options);
    },
    eraseBuyer: (buyer: EraseBuyerBody, options?: CallOptions) =>
      write<EraseBuyerAnswer>(['POST', '/api/v1/buyers/erase', 'again'], buyer, options),
    setBalance: async (balance: SetBalanceBody, options?: CallOptions) => {
      checkAmount('balance', balance.balance, { signed: true });
      const path = '/api/v1/account/balance';
      return await write<SetBalanceAnswer>(['PUT', path, 'once'], balance, options);
    },
    ...createStateCalls(send),
  };
}

/** Final changes and extensions are retried. Disputes are not, because the state may change in between. */
function createStateCalls(send: Send) {
  const { write, writeByKey } = createCalls(send);
  const become =
    <Answer>(verb: string, repeat: Repeat) =>
    (purchaseId: Id, options?: CallOptions) =>
      write<Answer>(['POST', `${at(purchaseId)}/${verb}`, repeat], undefined, options);
  const post = <Answer>(purchaseId: Id, verb: string, body: object, options?: CallOptions) =>
    write<Answer>(['POST', `${at(purchaseId)}/${verb}`, 'again'], body, options);
  return {
    refundPurchase: become<RefundPurchaseAnswer>('refund', 'again'),
    cancelPurchase: become<CancelPurchaseAnswer>('cancel', 'again'),
    disputePurchase: become<DisputePurchaseAnswer>('dispute', 'once'),
    winDispute: become<WinDisputeAnswer>('dispute-won', 'once'),
    extendSupport: (purchaseId: Id, support: ExtendSupportBody, options?: CallOptions) =>
      post<ExtendSupportAnswer>(purchaseId, 'support', support, options),
    /** Replaces the code once per idempotency key, even if the call is repeated. */
    reissuePurchase: (purchaseId: Id, options: IssueOptions = {}) =>
      writeByKey<ReissuePurchaseAnswer>(`${at(purchaseId)}/reissue`, undefined, options),
    correctBuyer: (purchaseId: Id, buyer: CorrectBuyerBody, options?: CallOptions) =>
      write<CorrectBuyerAnswer>(['PATCH', at(purchaseId), 'again'], buyer, options),
    makeDownloadLink: (purchaseId: Id, link: MakeDownloadLinkBody = {}, options?: CallOptions) =>
      post<MakeDownloadLinkAnswer>(purchaseId, 'download-links', link, options),
  };
}
