// Reads accounts.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { Account } from './account.ts';

/** Every workspace has an account. */
export async function getAccount(db: Queryable, workspaceId: bigint): Promise<Account> {
  const { rows } = await db.query({
    name: 'select_account',
    text: 'select * from accounts where workspace_id = $1',
    values: [workspaceId],
  });
  if (!rows[0]) throw new Error(`workspace ${workspaceId} has no account`);
  return fromRow<Account>(rows[0]);
}
