// Reads the number of verifications of a purchase.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { PurchaseKey } from '../purchases/management/queries.ts';

/** Returns 0 if the purchase was never verified. */
export async function selectUses(db: Queryable, key: PurchaseKey): Promise<number> {
  const found = await queryRow<{ uses: bigint }>(
    db,
    'select uses from licence_key_uses where workspace_id = $1 and purchase_id = $2',
    [key.workspaceId, key.purchaseId],
  );
  return Number(found?.uses ?? 0);
}
