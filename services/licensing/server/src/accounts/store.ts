// Locks, inserts and updates rows of `accounts`.

import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import type { Account } from './account.ts';

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: Tx, workspaceId: bigint): Promise<Account> {
  const statement = 'select * from accounts where workspace_id = $1 for no key update';
  const account = await queryRow<Account>(tx, statement, [workspaceId]);
  if (!account) throw new Error(`workspace ${workspaceId} has no account`);
  return account;
}

/** The values of the columns that both an insert and an update write: $1 to $13. */
const listValues = (account: Account) => [
  account.workspaceId,
  account.firstname,
  account.lastname,
  account.username,
  account.email,
  account.balanceMinor,
  account.heading,
  account.description,
  account.contactEmail,
  JSON.stringify(account.socialLinks),
  account.avatarUrl,
  account.coverUrl,
  account.isSeller,
];

export async function insertAccountRow(tx: Tx, account: Account): Promise<void> {
  await tx.query(
    `insert into accounts (workspace_id, firstname, lastname, username, email, balance_minor, heading,
       description, contact_email, social_links, avatar_url, cover_url, is_seller, currency,
       registered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [...listValues(account), account.currency, account.registeredAt],
  );
}

/** Saves a locked account. The currency and the time of the registration never change. */
export async function saveAccount(tx: Tx, account: Account): Promise<void> {
  await tx.query(
    `update accounts set firstname = $2, lastname = $3, username = $4, email = $5, balance_minor = $6,
       heading = $7, description = $8, contact_email = $9, social_links = $10, avatar_url = $11,
       cover_url = $12, is_seller = $13
     where workspace_id = $1`,
    listValues(account),
  );
}
