// The account that owns a key.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Account } from './account.ts';
import { selectAccount } from './store.ts';

export async function getAccount(db: Queryable, workspaceId: bigint): Promise<Account> {
  const account = await selectAccount(db, workspaceId);
  if (!account) throw new Error(`workspace ${workspaceId} has no account`);
  return account;
}
