// Locks, inserts and updates rows of `workspaces`.
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

export async function lockWorkspaceRow(tx: Tx, id: bigint, kind: 'live' | 'any'): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from workspaces where id = $1 and (sandbox_of is null or $2) for no key update',
    [id, kind === 'any'],
  );
  return rows.length > 0;
}

export async function saveWorkspaceRow(tx: Tx, workspace: Omit<Workspace, 'createdAt'>): Promise<void> {
  await tx.query(
    `update workspaces set name = $2, support_enabled = $3, support_months = $4, vendor_clients = $5,
       buyer_support_mail = $6
     where id = $1`,
    [
      workspace.id,
      workspace.name,
      workspace.supportEnabled,
      workspace.supportMonths,
      workspace.vendorClients,
      workspace.buyerSupportMail,
    ],
  );
}
