// Reads workspaces: their settings, their sandboxes, and the seller data that validation needs.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { Page } from '../wire/paging.ts';
import type { Workspace } from './workspace.ts';
import type { Seller } from './workspace-cache.ts';

/** The sandbox of a workspace, which has the data of its test keys; undefined before the first test key. */
export async function findSandbox(db: Queryable, workspaceId: bigint): Promise<bigint | undefined> {
  const statement = 'select id from workspaces where sandbox_of = $1';
  const sandbox = await queryRow<{ id: bigint }>(db, statement, [workspaceId]);
  return sandbox?.id;
}

/** The default months of support of a new sale; 0 if the workspace gives no support. */
export async function getSupportMonths(db: Queryable, workspaceId: bigint): Promise<number> {
  const { rows } = await db.query<{ months: number }>(
    `select case when support_enabled then support_months else 0 end as months
     from workspaces where id = $1`,
    [workspaceId],
  );
  return rows[0]?.months ?? 0;
}

export async function hasWorkspaces(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ count: bigint }>('select count(*) from workspaces');
  return (rows[0]?.count ?? 0n) > 0n;
}

const columns = 'id, name, support_enabled, support_months, vendor_clients, buyer_support_mail, created_at';

/**
 * Lists the workspaces with these ids by name. Sandboxes are left out, because the panel does not show them.
 */
export const listWorkspaces = (db: Queryable, ids: readonly bigint[]): Promise<Workspace[]> =>
  queryRows<Workspace>(
    db,
    `select ${columns} from workspaces where id = any($1) and sandbox_of is null order by name, id`,
    [ids],
  );

export async function getWorkspace(db: Queryable, id: bigint): Promise<Workspace> {
  const [workspace] = await listWorkspaces(db, [id]);
  if (!workspace) throw fail('workspace_not_found');
  return workspace;
}

/** Returns one page of the workspaces of all sellers, in the order of their ids. Sandboxes are left out. */
export const listAllWorkspaces = (db: Queryable, page: Page): Promise<Workspace[]> =>
  queryRows<Workspace>(
    db,
    `select ${columns} from workspaces where id > $1 and sandbox_of is null order by id limit $2`,
    [page.after[0] ?? 0n, page.limit],
  );

export const selectSeller = (db: Queryable, workspaceId: bigint): Promise<Seller | undefined> =>
  queryRow<Seller>(db, {
    name: 'select_seller',
    text: `select a.is_seller, w.support_enabled, w.vendor_clients
           from workspaces w join accounts a on a.workspace_id = w.id where w.id = $1`,
    values: [workspaceId],
  });
