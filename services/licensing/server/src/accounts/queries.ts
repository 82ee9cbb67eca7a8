// Reads accounts.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Account } from './account.ts';

export interface AccountRow {
  workspace_id: bigint;
  firstname: string;
  lastname: string;
  username: string;
  email: string;
  balance_minor: bigint;
  currency: string;
  heading: string;
  description: string;
  contact_email: string;
  social_links: Record<string, string>;
  avatar_url: string;
  cover_url: string;
  is_seller: boolean;
  registered_at: Date;
}

export async function selectAccount(
  db: Queryable,
  workspaceId: bigint,
): Promise<Account | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: 'select_account',
    text: 'select * from accounts where workspace_id = $1',
    values: [workspaceId],
  });
  const row = rows[0];
  return row && fromAccountRow(row);
}

export function fromAccountRow(row: AccountRow): Account {
  return {
    workspaceId: row.workspace_id,
    firstname: row.firstname,
    lastname: row.lastname,
    username: row.username,
    email: row.email,
    balanceMinor: row.balance_minor,
    currency: row.currency,
    heading: row.heading,
    description: row.description,
    contactEmail: row.contact_email,
    socialLinks: row.social_links,
    avatarUrl: row.avatar_url,
    coverUrl: row.cover_url,
    isSeller: row.is_seller,
    registeredAt: row.registered_at,
  };
}

export async function getAccount(db: Queryable, workspaceId: bigint): Promise<Account> {
  const account = await selectAccount(db, workspaceId);
  if (!account) throw new Error(`workspace ${workspaceId} has no account`);
  return account;
}
