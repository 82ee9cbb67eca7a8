// Writes `licence_key_uses`.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { PurchaseKey } from '../purchases/management/queries.ts';

/** Counts a verification, and returns the number of verifications so far. */
export async function saveUse(db: Queryable, key: PurchaseKey): Promise<number> {
  const saved = await queryRow<{ uses: bigint }>(
    db,
    `insert into licence_key_uses as u (workspace_id, purchase_id, uses) values ($1, $2, 1)
     on conflict (workspace_id, purchase_id) do update set uses = u.uses + 1 returning uses`,
    [key.workspaceId, key.purchaseId],
  );
  return Number(saved?.uses ?? 0);
}
