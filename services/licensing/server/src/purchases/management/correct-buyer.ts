// Corrects or erases the name and e-mail of a purchase's buyer.
import { parseEmail } from '@counterfoil/identity/members/person';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Static } from 'typebox';
import { fail } from '../../errors.ts';
import { refuseField } from '../../wire/refusals.ts';
import { auditPurchase, type PurchaseToChange } from '../purchase-event.ts';
import { lockTarget } from './change-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import type { BuyerInput } from './purchase-input.ts';
import { saveBuyerErased, savePurchase } from './store.ts';

/**
 * Corrects the buyer. A field that the request lacks stays unchanged, and an empty text removes the value.
 */
export async function correctBuyer(
  tx: Tx,
  target: PurchaseToChange,
  given: Static<typeof BuyerInput>,
): Promise<ManagedPurchase> {
  const before = await lockTarget(tx, target);
  const buyerName = given.name === undefined ? before.buyerName : given.name.trim() || undefined;
  const buyerEmail = given.email === undefined ? before.buyerEmail : readEmail(given.email);
  const fields = [
    ...(buyerName === before.buyerName ? [] : ['name']),
    ...(buyerEmail === before.buyerEmail ? [] : ['email']),
  ];
  if (fields.length === 0) return before;
  if (before.buyerErasedAt) throw fail('buyer_erased');
  const after = { ...before, buyerName, buyerEmail, updatedAt: target.now };
  await savePurchase(tx, after);
  // The audit line has only the names of the changed fields, because the erasure of a buyer does not change
  // the audit log.
  await auditPurchase(tx, target, 'purchase_buyer_corrected', { fields });
  return after;
}

function readEmail(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const email = parseEmail(text);
  if (email !== undefined) return email;
  throw refuseField('buyer.email', 'must be an e-mail address.');
}

/**
 * Erases the name and e-mail from all purchases of a buyer, or from one purchase. Returns the ids of the
 * purchases that had a name or an e-mail.
 */
export const eraseBuyerData = saveBuyerErased;
