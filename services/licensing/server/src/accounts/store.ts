// Rows of `accounts`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Account, PublicPerson } from './account.ts';
import { type AccountRow, fromAccountRow } from './queries.ts';

export async function lockAccount(tx: Tx, workspaceId: bigint): Promise<Account | undefined> {
  const { rows } = await tx.query<AccountRow>(
    'select * from accounts where workspace_id = $1 for no key update',
    [workspaceId],
  );
  return rows[0] && fromAccountRow(rows[0]);
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

export async function saveSeller(
  tx: Tx,
  given: { workspaceId: bigint; isSeller: boolean },
): Promise<void> {
  await tx.query('update accounts set is_seller = $2 where workspace_id = $1', [
    given.workspaceId,
    given.isSeller,
  ]);
}

export async function insertAccountRow(db: Queryable, account: Account): Promise<void> {
  await db.query(
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

/** Locks the account until the transaction ends. */
export async function lockAccountRow(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query('select 1 from accounts where workspace_id = $1 for no key update', [workspaceId]);
}

/** Saves the profile; balance, currency and the seller flag stay as they are. */
export async function savePublicPerson(tx: Tx, account: PublicPerson & { workspaceId: bigint }) {
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
