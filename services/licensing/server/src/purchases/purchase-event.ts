// The audit line and the event of a change of a purchase. Neither contains the buyer or the whole code.
import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { NewEvent } from '../webhooks/events.ts';
import type { Purchase, PurchaseState } from './purchase.ts';

export interface PurchaseToChange {
  readonly caller: Caller;
  readonly purchaseId: bigint;
  readonly now: Date;
}

export const auditPurchase = (
  tx: Tx,
  { caller, purchaseId, now }: PurchaseToChange,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, {
    ...caller,
    at: now,
    action,
    subject: { kind: 'purchase', id: String(purchaseId) },
    details,
  });

export const makePurchaseEvent = (
  type: NewEvent['type'],
  purchase: Omit<Purchase, 'codeHint' | 'downloadedAt'>,
  at: Date,
): NewEvent => ({
  type,
  at,
  subject: `purchase:${purchase.id}`,
  data: {
    purchase_id: Number(purchase.id),
    item_id: Number(purchase.itemId),
    license_type: purchase.licenseType,
    state: purchase.state,
    price: toJsonNumber(purchase.priceMinor, purchase.currency),
    currency: purchase.currency,
    purchased_at: presentTime(purchase.purchasedAt),
    supported_until: purchase.supportedUntil ? presentTime(purchase.supportedUntil) : null,
  },
});

/**
 * The type of the event that announces each new state. A purchase becomes active again only if the seller
 * wins a dispute.
 */
export const typeOfState: Record<PurchaseState, NewEvent['type']> = {
  active: 'purchase.dispute_won',
  refunded: 'purchase.refunded',
  cancelled: 'purchase.cancelled',
  disputed: 'purchase.disputed',
};
