// Reads what validation needs to know of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Seller } from './find-seller.ts';

export async function selectSeller(
  db: Queryable,
  workspaceId: bigint,
): Promise<Seller | undefined> {
  const { rows } = await db.query<{ is_seller: boolean; support_enabled: boolean }>({
    name: 'select_seller',
    text: `select a.is_seller, w.support_enabled
           from workspaces w join accounts a on a.workspace_id = w.id where w.id = $1`,
    values: [workspaceId],
  });
  const row = rows[0];
  return row && { isSeller: row.is_seller, supportEnabled: row.support_enabled };
}
