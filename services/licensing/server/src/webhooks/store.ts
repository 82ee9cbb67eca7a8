// Which workspaces have an endpoint; the rest of `webhook_endpoints` is the kit's.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export async function selectListeners(db: Queryable): Promise<bigint[]> {
  const { rows } = await db.query<{ workspace_id: bigint }>(
    `select distinct workspace_id from webhook_endpoints where state = 'enabled'`,
  );
  return rows.map((row) => row.workspace_id);
}
