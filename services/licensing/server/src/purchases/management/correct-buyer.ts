// Corrects or erases the name and e-mail of a purchase's buyer.

import { parseEmail } from '@counterfoil/identity/members/person';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import type { PurchaseToChange } from './change-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { lockPurchase, saveBuyer, saveBuyerErased } from './store.ts';

/** Missing fields stay; an empty text removes the value. */
export interface BuyerCorrection {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

export async function correctBuyer(
  tx: Tx,
  { caller, purchaseId, now }: PurchaseToChange,
  given: BuyerCorrection,
): Promise<ManagedPurchase> {
  const key = { workspaceId: caller.workspaceId, purchaseId };
  const before = await lockPurchase(tx, key);
  if (!before) throw fail('purchase_not_found', { msg: 'There is no such purchase' });
  const buyerName = given.name === undefined ? before.buyerName : given.name.trim() || undefined;
  const buyerEmail = given.email === undefined ? before.buyerEmail : readEmail(given.email);
  const fields = [
    ...(buyerName === before.buyerName ? [] : ['name']),
    ...(buyerEmail === before.buyerEmail ? [] : ['email']),
  ];
  if (fields.length === 0) return before;
  if (before.buyerErasedAt) throw fail('buyer_erased');
  await saveBuyer(tx, key, { buyerName, buyerEmail, at: now });
  // The audit line names no person, because it could not be erased there.
  await recordAudit(tx, {
    workspaceId: caller.workspaceId,
    at: now,
    actor: caller.actor,
    action: 'purchase_buyer_corrected',
    subject: { kind: 'purchase', id: String(purchaseId) },
    details: { fields },
  });
  return { ...before, buyerName, buyerEmail, updatedAt: now };
}

function readEmail(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const email = parseEmail(text);
  if (email !== undefined) return email;
  throw fail('invalid_parameter', { errors: { 'buyer.email': ['must be an e-mail address.'] } });
}

/** Erases the name and e-mail from the purchases of a buyer, and gives the ids of these purchases. */
export const eraseBuyerData = saveBuyerErased;
