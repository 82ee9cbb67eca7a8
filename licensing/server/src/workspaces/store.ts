// Rows of `workspaces`.
import type { Queryable } from '@counterfoil/kit/db';

export async function insertWorkspaceRow(
  db: Queryable,
  workspace: { name: string; supportEnabled: boolean },
): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    'insert into workspaces (name, support_enabled) values ($1, $2) returning id',
    [workspace.name, workspace.supportEnabled],
  );
  return (rows[0] as { id: bigint }).id;
}

export async function countWorkspaces(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>('select count(*) from workspaces');
  return rows[0]?.count ?? 0n;
}
