// Rows of `accounts`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Account, PublicPerson } from './account.ts';

interface Row {
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
  const { rows } = await db.query<Row>({
    name: 'select_account',
    text: 'select * from accounts where workspace_id = $1',
    values: [workspaceId],
  });
  const row = rows[0];
  return row && fromRow(row);
}

export async function lockAccount(tx: Tx, workspaceId: bigint): Promise<Account | undefined> {
  const { rows } = await tx.query<Row>(
    'select * from accounts where workspace_id = $1 for no key update',
    [workspaceId],
  );
  return rows[0] && fromRow(rows[0]);
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

function fromRow(row: Row): Account {
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

/** Holds the account against other changes until the transaction ends. */
export async function lockAccountRow(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query('select 1 from accounts where workspace_id = $1 for no key update', [workspaceId]);
}

/** The public person; balance, currency and the seller flag are not among it. */
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
