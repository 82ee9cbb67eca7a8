// A purchase as events tell of it: ids, states and amounts, nothing of the buyer and not its code.

import { presentTime } from '@counterfoil/kit/http/answers';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { NewEvent } from '../webhooks/record-event.ts';
import type { Purchase, PurchaseState } from './purchase.ts';

type Told = Pick<
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

export const makePurchaseEvent = (type: NewEvent['type'], purchase: Told, at: Date): NewEvent => ({
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

/** What a change of state is called; only a dispute that was won leads back to active. */
export const typeOfState: Record<PurchaseState, NewEvent['type']> = {
  active: 'purchase.dispute_won',
  refunded: 'purchase.refunded',
  cancelled: 'purchase.cancelled',
  disputed: 'purchase.disputed',
};
