// Blocks a purchase whose code is abused, and unblocks the purchase again.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { auditPurchase, makePurchaseEvent, type PurchaseToChange } from '../purchase-event.ts';
import { lockTarget } from './change-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { saveBlocked } from './store.ts';

/**
 * Blocks a purchase, so that its code is refused like the code of a cancelled purchase. If the purchase is
 * already blocked, nothing changes.
 */
export async function blockPurchase(tx: Tx, target: PurchaseToChange): Promise<ManagedPurchase> {
  const before = await lockTarget(tx, target);
  if (before.blockedAt) return before;
  const { state } = before;
  // A block of a refunded or cancelled purchase would have no effect, because its code is not valid.
  if (state === 'refunded' || state === 'cancelled')
    throw fail('purchase_state_conflict', { data: { state } });
  return saveBlock(tx, target, { ...before, blockedAt: target.now });
}

/** Removes the block of a purchase in any state. If the purchase is not blocked, nothing changes. */
export async function unblockPurchase(tx: Tx, target: PurchaseToChange): Promise<ManagedPurchase> {
  const before = await lockTarget(tx, target);
  if (!before.blockedAt) return before;
  return saveBlock(tx, target, { ...before, blockedAt: undefined });
}

async function saveBlock(
  tx: Tx,
  target: PurchaseToChange,
  changed: ManagedPurchase,
): Promise<ManagedPurchase> {
  const { now } = target;
  const after = { ...changed, updatedAt: now };
  await saveBlocked(tx, after);
  const isBlocked = after.blockedAt !== undefined;
  await auditPurchase(tx, target, isBlocked ? 'purchase_blocked' : 'purchase_unblocked', {});
  const type = isBlocked ? 'purchase.blocked' : 'purchase.unblocked';
  await recordEvent(tx, after.workspaceId, makePurchaseEvent(type, after, now));
  return after;
}
