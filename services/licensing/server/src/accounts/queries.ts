// Reads accounts.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { Account } from './account.ts';

/** Returns the account of a workspace. Every workspace has one, so a missing row is an internal error. */
export async function getAccount(db: Queryable, workspaceId: bigint): Promise<Account> {
  const account = await queryRow<Account>(db, {
    name: 'select_account',
    text: 'select * from accounts where workspace_id = $1',
    values: [workspaceId],
  });
  if (!account) throw new Error(`workspace ${workspaceId} has no account`);
  return account;
}
