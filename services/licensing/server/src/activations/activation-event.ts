// The events of activations: a host activated a purchase, released its seat, or got no seat.
import type { NewEvent } from '../webhooks/events.ts';
import { type Activation, getActivationState, type Target } from './activation.ts';

/**
 * The event of an activation that occupies a seat. The event does not contain the host, because a host may
 * identify the buyer.
 */
export const makeActivationEvent = (
  type: 'activation.created' | 'activation.released',
  activation: Activation,
  at: Date,
): NewEvent => ({
  type,
  at,
  subject: `purchase:${activation.purchaseId}`,
  data: {
    activation_id: Number(activation.id),
    purchase_id: Number(activation.purchaseId),
    item_id: Number(activation.itemId),
    kind: activation.kind,
    state: getActivationState(activation),
  },
});

/** The event of a host that was refused because of a limit. */
export const makeRefusalEvent = (
  refused: {
    readonly purchase: { readonly id: bigint; readonly itemId: bigint };
    readonly kind: Target['kind'];
    readonly reason: 'activation_limit_reached' | 'activation_moves_exhausted';
    readonly limit: number;
    readonly used: number;
  },
  at: Date,
): NewEvent => ({
  type: 'activation.refused',
  at,
  subject: `purchase:${refused.purchase.id}`,
  data: {
    purchase_id: Number(refused.purchase.id),
    item_id: Number(refused.purchase.itemId),
    kind: refused.kind,
    reason: refused.reason,
    limit: refused.limit,
    used: refused.used,
  },
});
