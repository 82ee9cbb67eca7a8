// Changes a purchase after the sale: refund, cancellation, dispute, support, first download.
import { isSameSecond } from '@counterfoil/kit/http/answers';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { refuseField } from '../../wire/refusals.ts';
import { canBecome, type PurchaseState } from '../purchase.ts';
import { auditPurchase, makePurchaseEvent, type PurchaseToChange, typeOfState } from '../purchase-event.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { noSuchPurchase, type PurchaseKey } from './queries.ts';
import { lockPurchase, saveDownloaded, saveDownloadedVersion, savePurchase } from './store.ts';

interface Change {
  readonly state: PurchaseState;
  readonly supportedUntil: Date | undefined;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Locks the purchase that a request or a command changes. */
export const lockTarget = (tx: Tx, { caller, purchaseId }: PurchaseToChange) =>
  lockOwnPurchase(tx, { workspaceId: caller.workspaceId, purchaseId }, noSuchPurchase);

/**
 * Locks a purchase and calls `decide`. If `decide` returns a change, saves the change and records it in the
 * audit log.
 */
async function changePurchase(
  tx: Tx,
  target: PurchaseToChange,
  decide: (purchase: ManagedPurchase) => Change | undefined,
): Promise<ManagedPurchase> {
  const { now } = target;
  const before = await lockTarget(tx, target);
  const change = decide(before);
  if (!change) return before;
  const { state, supportedUntil } = change;
  const after = { ...before, state, supportedUntil, updatedAt: now };
  await savePurchase(tx, after);
  await auditPurchase(tx, target, change.action, change.details);
  if (state !== before.state) {
    const event = makePurchaseEvent(typeOfState[state], after, now);
    await recordEvent(tx, before.workspaceId, event);
  }
  return after;
}

/** Returns a use case that changes the state. A purchase that already has the state stays unchanged. */
const becoming = (to: PurchaseState, action: string) => (tx: Tx, target: PurchaseToChange) =>
  changePurchase(tx, target, ({ state, supportedUntil }) => {
    if (state === to) return undefined;
    if (!canBecome(state, to)) throw fail('purchase_state_conflict', { data: { state } });
    return { state: to, supportedUntil, action, details: { from: state } };
  });

export const refundPurchase = becoming('refunded', 'purchase_refunded');
export const cancelPurchase = becoming('cancelled', 'purchase_cancelled');
export const disputePurchase = becoming('disputed', 'purchase_disputed');
export const winDispute = becoming('active', 'purchase_dispute_won');

export const extendSupport = (
  tx: Tx,
  target: PurchaseToChange,
  supportedUntil: Date,
): Promise<ManagedPurchase> =>
  changePurchase(tx, target, (purchase) => {
    const { state, supportedUntil: before } = purchase;
    if (state !== 'active') throw fail('purchase_state_conflict', { data: { state } });
    if (isSameSecond(before, supportedUntil)) return undefined;
    if (before && before > supportedUntil)
      throw refuseField('supported_until', 'must be later than the support that was sold.');
    const details = { from: before?.toISOString() ?? '', to: supportedUntil.toISOString() };
    return { state, supportedUntil, action: 'purchase_support_extended', details };
  });

export async function lockOwnPurchase(
  tx: Tx,
  key: PurchaseKey,
  refusal: { readonly msg?: string } = {},
): Promise<ManagedPurchase> {
  const purchase = await lockPurchase(tx, key);
  if (!purchase) throw fail('purchase_not_found', refusal);
  return purchase;
}

export async function markDownloaded(
  db: Db,
  key: PurchaseKey & { readonly version: string },
  at: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    await saveDownloadedVersion(tx, key);
    if (!(await saveDownloaded(tx, key, at))) return;
    // The actor is empty: the buyer who downloaded the file has no account, and the IP address of a buyer is
    // not recorded.
    const caller = { workspaceId: key.workspaceId, actor: {} };
    const target = { caller, purchaseId: key.purchaseId, now: at };
    await auditPurchase(tx, target, 'purchase_downloaded', { by: 'buyer' });
  });
}
