// One of the workspace's purchases.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { type PurchaseKey, selectPurchase } from './managed-store.ts';

export async function findPurchase(
  db: Queryable,
  key: PurchaseKey,
): Promise<ManagedPurchase | undefined> {
  return selectPurchase(db, key);
}

export async function getPurchase(db: Queryable, key: PurchaseKey): Promise<ManagedPurchase> {
  const purchase = await selectPurchase(db, key);
  if (!purchase) throw fail('purchase_not_found', { msg: 'There is no such purchase' });
  return purchase;
}
