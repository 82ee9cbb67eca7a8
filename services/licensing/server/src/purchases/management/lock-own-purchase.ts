// Holds one of the workspace's purchases until the transaction ends.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { lockPurchase, type PurchaseKey } from './managed-store.ts';

export async function lockOwnPurchase(tx: Tx, key: PurchaseKey): Promise<ManagedPurchase> {
  const purchase = await lockPurchase(tx, key);
  if (!purchase) throw fail('purchase_not_found');
  return purchase;
}
