// Lists the workspaces that have an enabled webhook endpoint.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export async function listListeningWorkspaces(db: Queryable): Promise<bigint[]> {
  const { rows } = await db.query<{ workspace_id: bigint }>(
    `select distinct workspace_id from webhook_endpoints where state = 'enabled'`,
  );
  return rows.map((row) => row.workspace_id);
}
