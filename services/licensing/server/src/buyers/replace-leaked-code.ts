// Replaces the leaked code of a purchase for its buyer, and reports the replacement to the seller.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import { fail } from '../errors.ts';
import { findItem } from '../items/queries.ts';
import { mailOwners } from '../mail/mail-owners.ts';
import { lockTarget } from '../purchases/management/change-purchase.ts';
import type { ManagedPurchase } from '../purchases/management/managed-purchase.ts';
import { type PurchaseKey, selectReissues } from '../purchases/management/queries.ts';
import { reissuePurchase } from '../purchases/management/reissue-purchase.ts';
import { getPublicState } from '../purchases/purchase.ts';
import type { PurchaseToChange } from '../purchases/purchase-event.ts';
import { getWorkspace } from '../workspaces/queries.ts';
import type { BuyerSession } from './buyer-session.ts';
import { getBuyerPurchase } from './queries.ts';
import { saveCodeOfSession } from './store.ts';

export const reissueLimit = { count: 3, days: 30 } as const;
const windowMs = reissueLimit.days * 86_400_000;

/** The number of replacements that are still allowed, and the time of the next one if none is allowed. */
export async function findReissuesLeft(
  db: Queryable,
  { workspaceId, purchaseId }: PurchaseKey,
  now: Date,
): Promise<{ left: number; freeAt: Date | undefined }> {
  const since = new Date(now.getTime() - windowMs);
  const of = { workspaceId, purchaseIds: [purchaseId], since, limit: reissueLimit.count };
  const recent = await selectReissues(db, of);
  const left = reissueLimit.count - recent.length;
  const oldest = recent.at(-1)?.retiredAt;
  return { left, freeAt: left === 0 && oldest ? new Date(oldest.getTime() + windowMs) : undefined };
}

/**
 * The purchase is locked first, so that concurrent requests cannot exceed the limit. The event, the mail to
 * the owners and the audit line are written in the transaction of the replacement.
 */
export async function replaceLeakedCode(
  tx: Tx,
  { masterKey, mailer }: { masterKey: MasterKey; mailer: Mailer },
  target: PurchaseToChange & { buyer: BuyerSession },
): Promise<ManagedPurchase> {
  const { caller, purchaseId, buyer } = target;
  const { workspaceId } = caller;
  const key = { workspaceId, purchaseId };
  await lockTarget(tx, target);
  const purchase = await getBuyerPurchase(tx, { session: buyer, now: target.now }, key);
  const state = getPublicState(purchase);
  if (state === 'cancelled') throw fail('purchase_state_conflict', { data: { state } });
  const { itemId } = purchase;
  const { left, freeAt } = await findReissuesLeft(tx, key, target.now);
  if (left === 0) {
    const data = { limit: reissueLimit.count, days: reissueLimit.days, free_at: freeAt?.toISOString() };
    throw fail('reissue_limit_reached', { data });
  }
  const { name: workspace } = await getWorkspace(tx, workspaceId);
  const item = (await findItem(tx, { workspaceId, itemId }))?.name ?? '';
  const url = `${mailer.sender.publicUrl}/w/${workspaceId}/purchases/${purchaseId}`;
  const values = { workspace, item, id: String(purchaseId), url };
  await mailOwners(mailer, tx, workspaceId, { kind: 'code_replaced', values });
  const replaced = await reissuePurchase(tx, masterKey, target, undefined);
  await saveCodeOfSession(tx, buyer.tokenHash, replaced.codeHash);
  return replaced;
}
