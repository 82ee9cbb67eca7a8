// Rows of `accounts`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { Account, Profile } from './account.ts';

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: Tx, workspaceId: bigint): Promise<Account> {
  const { rows } = await tx.query('select * from accounts where workspace_id = $1 for no key update', [
    workspaceId,
  ]);
  if (!rows[0]) throw new Error(`workspace ${workspaceId} has no account`);
  return fromRow<Account>(rows[0]);
}

export async function saveBalance(
  tx: Tx,
  given: { workspaceId: bigint; balanceMinor: bigint },
): Promise<void> {
  await tx.query('update accounts set balance_minor = $2 where workspace_id = $1', [
    given.workspaceId,
    given.balanceMinor,
  ]);
}

export async function saveSeller(tx: Tx, given: { workspaceId: bigint; isSeller: boolean }): Promise<void> {
  await tx.query('update accounts set is_seller = $2 where workspace_id = $1', [
    given.workspaceId,
    given.isSeller,
  ]);
}

export async function insertAccountRow(tx: Tx, account: Account): Promise<void> {
  await tx.query(
    `insert into accounts (workspace_id, firstname, lastname, username, email, balance_minor,
       currency, heading, description, contact_email, social_links, avatar_url, cover_url,
       is_seller, registered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      account.workspaceId,
      account.firstname,
      account.lastname,
      account.username,
      account.email,
      account.balanceMinor,
      account.currency,
      account.heading,
      account.description,
      account.contactEmail,
      JSON.stringify(account.socialLinks),
      account.avatarUrl,
      account.coverUrl,
      account.isSeller,
      account.registeredAt,
    ],
  );
}

/** Saves the profile. The balance, the currency and the seller flag stay unchanged. */
export async function saveProfile(tx: Tx, account: Profile & { workspaceId: bigint }) {
  await tx.query(
    `update accounts set firstname = $2, lastname = $3, username = $4, email = $5, heading = $6,
       description = $7, contact_email = $8, social_links = $9, avatar_url = $10, cover_url = $11
     where workspace_id = $1`,
    [
      account.workspaceId,
      account.firstname,
      account.lastname,
      account.username,
      account.email,
      account.heading,
      account.description,
      account.contactEmail,
      JSON.stringify(account.socialLinks),
      account.avatarUrl,
      account.coverUrl,
    ],
  );
}
