// Purchases through the management API: sales, what becomes of them, links, buyers, the balance.
import { checkAmount } from '../../sdk-shared/src/amount.ts';
import type { CallOptions, Send } from '../../sdk-shared/src/call.ts';
import { createManaged, type Id, type Repeat, step } from './managed-calls.ts';
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

export interface IssueOptions extends CallOptions {
  /** By which a repeat is known; one is made where none is given, and an error names it. */
  readonly idempotencyKey?: string;
}

export function createPurchaseCalls(send: Send) {
  const { read, write } = createManaged(send);
  return {
    listPurchases: (query: ListPurchasesQuery = {}, options?: CallOptions) =>
      read<ListPurchasesAnswer>(purchases, query, options),
    getPurchase: (purchaseId: Id, options?: CallOptions) =>
      read<GetPurchaseAnswer>(at(purchaseId), {}, options),
    /** One sale for one key, however often it is sent. */
    issuePurchase: async (sale: IssuePurchaseBody, options: IssueOptions = {}) => {
      // The service takes this amount as a text, which `write` does not check.
      if (sale.price !== undefined) checkAmount('price', sale.price);
      const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
      const headers = { 'idempotency-key': idempotencyKey };
      const call = { method: 'POST', path: purchases, headers, idempotencyKey } as const;
      return await write<IssuePurchaseAnswer>({ ...call, repeat: 'again', json: sale }, rest);
    },
    eraseBuyer: (buyer: EraseBuyerBody, options?: CallOptions) =>
      write<EraseBuyerAnswer>(
        { method: 'POST', path: '/api/v1/buyers/erase', repeat: 'again', json: buyer },
        options,
      ),
    setBalance: async (balance: SetBalanceBody, options?: CallOptions) => {
      checkAmount('balance', balance.balance, { signed: true });
      const call = { method: 'PUT', path: '/api/v1/account/balance', json: balance } as const;
      return await write<SetBalanceAnswer>({ ...call, repeat: 'once' }, options);
    },
    ...createStateCalls(send),
  };
}

/** What is final, or only ever grows, is sent again in doubt; a dispute may have moved on since. */
function createStateCalls(send: Send) {
  const { write } = createManaged(send);
  const become =
    <Answer>(verb: string, repeat: Repeat) =>
    (purchaseId: Id, options?: CallOptions) =>
      write<Answer>({ method: 'POST', path: `${at(purchaseId)}/${verb}`, repeat }, options);
  return {
    refundPurchase: become<RefundPurchaseAnswer>('refund', 'again'),
    cancelPurchase: become<CancelPurchaseAnswer>('cancel', 'again'),
    disputePurchase: become<DisputePurchaseAnswer>('dispute', 'once'),
    winDispute: become<WinDisputeAnswer>('dispute-won', 'once'),
    extendSupport: (purchaseId: Id, support: ExtendSupportBody, options?: CallOptions) =>
      write<ExtendSupportAnswer>(
        { method: 'POST', path: `${at(purchaseId)}/support`, repeat: 'again', json: support },
        options,
      ),
    /** One new code for one key, however often it is sent. */
    reissuePurchase: (purchaseId: Id, options: IssueOptions = {}) => {
      const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
      const headers = { 'idempotency-key': idempotencyKey };
      const path = `${at(purchaseId)}/reissue`;
      const call = { method: 'POST', path, headers, idempotencyKey } as const;
      return write<ReissuePurchaseAnswer>({ ...call, repeat: 'again' }, rest);
    },
    correctBuyer: (purchaseId: Id, buyer: CorrectBuyerBody, options?: CallOptions) =>
      write<CorrectBuyerAnswer>(
        { method: 'PATCH', path: at(purchaseId), repeat: 'again', json: buyer },
        options,
      ),
    makeDownloadLink: (purchaseId: Id, link: MakeDownloadLinkBody = {}, options?: CallOptions) =>
      write<MakeDownloadLinkAnswer>(
        { method: 'POST', path: `${at(purchaseId)}/download-links`, repeat: 'again', json: link },
        options,
      ),
  };
}
