// Rows of `workspaces`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Workspace } from './workspace.ts';

export async function insertWorkspaceRow(
  db: Queryable,
  workspace: { name: string; supportEnabled: boolean; sandboxOf: bigint | undefined },
): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>(
    'insert into workspaces (name, support_enabled, sandbox_of) values ($1, $2, $3) returning id',
    [workspace.name, workspace.supportEnabled, workspace.sandboxOf ?? null],
  );
  return (rows[0] as { id: bigint }).id;
}

export async function selectSandboxId(
  db: Queryable,
  workspaceId: bigint,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>(
    'select id from workspaces where sandbox_of = $1',
    [workspaceId],
  );
  return rows[0]?.id;
}

export async function selectSupportMonths(db: Queryable, workspaceId: bigint): Promise<number> {
  const { rows } = await db.query<{ months: number }>(
    `select case when support_enabled then support_months else 0 end as months
     from workspaces where id = $1`,
    [workspaceId],
  );
  return rows[0]?.months ?? 0;
}

export async function countWorkspaces(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>('select count(*) from workspaces');
  return rows[0]?.count ?? 0n;
}

interface Row {
  id: bigint;
  name: string;
  support_enabled: boolean;
  support_months: number;
  created_at: Date;
}

/** The workspaces of those ids, by name; a sandbox is no place that anybody opens. */
export async function selectWorkspaces(
  db: Queryable,
  ids: readonly bigint[],
): Promise<Workspace[]> {
  const { rows } = await db.query<Row>(
    `select id, name, support_enabled, support_months, created_at from workspaces
     where id = any($1) and sandbox_of is null
     order by name, id`,
    [ids],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    supportEnabled: row.support_enabled,
    supportMonths: row.support_months,
    createdAt: row.created_at,
  }));
}

export async function lockWorkspaceRow(tx: Tx, id: bigint): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from workspaces where id = $1 and sandbox_of is null for no key update',
    [id],
  );
  return rows.length > 0;
}

export async function saveWorkspaceRow(
  tx: Tx,
  workspace: Omit<Workspace, 'createdAt'>,
): Promise<void> {
  await tx.query(
    `update workspaces set name = $2, support_enabled = $3, support_months = $4 where id = $1`,
    [workspace.id, workspace.name, workspace.supportEnabled, workspace.supportMonths],
  );
}
