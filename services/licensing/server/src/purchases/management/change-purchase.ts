// Changes a purchase after the sale: refund, cancellation, dispute, support, first download.
import { isSameSecond } from '@counterfoil/kit/http/answers';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../../access-policy.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { canBecome, type PurchaseState } from '../purchase.ts';
import { makePurchaseEvent, typeOfState } from '../purchase-event.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import type { PurchaseKey } from './queries.ts';
import { lockPurchase, saveDownloaded, saveState } from './store.ts';

export interface PurchaseToChange {
  readonly caller: Caller;
  readonly purchaseId: bigint;
  readonly now: Date;
}

interface Change {
  readonly state: PurchaseState;
  readonly supportedUntil: Date | undefined;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Locks, changes and audits in one transaction; writes nothing if nothing changes. */
async function changePurchase(
  tx: Tx,
  { caller, purchaseId, now }: PurchaseToChange,
  decide: (purchase: ManagedPurchase) => Change | undefined,
): Promise<ManagedPurchase> {
  const key = { workspaceId: caller.workspaceId, purchaseId };
  const before = await lockPurchase(tx, key);
  if (!before) throw fail('purchase_not_found', { msg: 'There is no such purchase' });
  const change = decide(before);
  if (!change) return before;
  const { state, supportedUntil } = change;
  await saveState(tx, key, { state, supportedUntil, at: now });
  await recordAudit(tx, {
    workspaceId: caller.workspaceId,
    at: now,
    actor: caller.actor,
    action: change.action,
    subject: { kind: 'purchase', id: String(purchaseId) },
    details: change.details,
  });
  const after = { ...before, state, supportedUntil, updatedAt: now };
  if (state !== before.state) {
    const event = makePurchaseEvent(typeOfState[state], after, now);
    await recordEvent(tx, caller.workspaceId, event);
  }
  return after;
}

/** A repeated request changes nothing. */
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
    if (before && before > supportedUntil) {
      const errors = { supported_until: ['must be later than the support that was sold.'] };
      throw fail('invalid_parameter', { errors });
    }
    const details = {
      from: before?.toISOString() ?? '',
      to: supportedUntil.toISOString(),
    };
    return { state, supportedUntil, action: 'purchase_support_extended', details };
  });

export async function lockOwnPurchase(tx: Tx, key: PurchaseKey): Promise<ManagedPurchase> {
  const purchase = await lockPurchase(tx, key);
  if (!purchase) throw fail('purchase_not_found');
  return purchase;
}

export async function markDownloaded(db: Db, key: PurchaseKey, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await saveDownloaded(tx, key, at))) return;
    await recordAudit(tx, {
      workspaceId: key.workspaceId,
      at,
      // The buyer has no account, and the address is not recorded.
      actor: {},
      action: 'purchase_downloaded',
      subject: { kind: 'purchase', id: String(key.purchaseId) },
      details: { by: 'buyer' },
    });
  });
}
