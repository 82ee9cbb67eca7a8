// Reads all workspaces page by page, for an operator; nobody else sees more than their own.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Workspace } from './workspace.ts';

interface Row {
  id: bigint;
  name: string;
  support_enabled: boolean;
  support_months: number;
  created_at: Date;
}

/** In the order of their numbers, behind the last of the page before; sandboxes belong to theirs. */
export async function selectWorkspacePage(
  db: Queryable,
  page: { afterId: bigint | undefined; limit: number },
): Promise<Workspace[]> {
  const { rows } = await db.query<Row>(
    `select id, name, support_enabled, support_months, created_at from workspaces
     where id > $1 and sandbox_of is null order by id limit $2`,
    [page.afterId ?? 0n, page.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    supportEnabled: row.support_enabled,
    supportMonths: row.support_months,
    createdAt: row.created_at,
  }));
}
