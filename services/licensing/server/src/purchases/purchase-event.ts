// The event of a purchase: ids, states and amounts, without the buyer and without the code.
import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { NewEvent } from '../webhooks/events.ts';
import type { Purchase, PurchaseState } from './purchase.ts';

type EventPurchase = Pick<
  Purchase,
  | 'id'
  | 'itemId'
  | 'licenseType'
  | 'state'
  | 'priceMinor'
  | 'currency'
  | 'supportedUntil'
  | 'purchasedAt'
>;

export const makePurchaseEvent = (
  type: NewEvent['type'],
  purchase: EventPurchase,
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

/** The event of each new state; only a won dispute leads back to active. */
export const typeOfState: Record<PurchaseState, NewEvent['type']> = {
  active: 'purchase.dispute_won',
  refunded: 'purchase.refunded',
  cancelled: 'purchase.cancelled',
  disputed: 'purchase.disputed',
};
