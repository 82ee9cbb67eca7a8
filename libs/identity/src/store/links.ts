// Reads and writes `one_time_links`. A row is found by the hash of its token, and used at most once.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Link, OpenInvitation } from '../links/link.ts';
import type { Role } from '../members/person.ts';

interface LinkRow {
  purpose: Link['purpose'];
  email: string;
  person_id: bigint | null;
  tenant_id: bigint | null;
  role: Role | null;
}

/**
 * Converts a row to a link. The check constraints of the table guarantee the columns that each purpose needs.
 */
function toLink(row: LinkRow): Link {
  const { purpose, email, person_id: personId, tenant_id: tenantId, role } = row;
  if (purpose === 'invitation' && tenantId !== null && role !== null) {
    return { purpose, email, tenantId, role };
  }
  if (purpose === 'password_reset' && personId !== null) return { purpose, email, personId };
  throw new Error(`a one-time link of purpose ${purpose} lacks a column that it needs`);
}

export async function findLinkByHash(db: Queryable, tokenHash: Buffer, now: Date): Promise<Link | undefined> {
  const { rows } = await db.query<LinkRow>(
    `select purpose, email, person_id, tenant_id, role from one_time_links
     where token_hash = $1 and used_at is null and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] && toLink(rows[0]);
}

/** Marks a link as used. Returns true for exactly one of any number of concurrent callers. */
export async function consumeLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update one_time_links set used_at = $2
     where token_hash = $1 and used_at is null and expires_at > $2`,
    [tokenHash, now],
  );
  return rowCount === 1;
}

export async function insertLink(
  tx: Tx,
  link: {
    tokenHash: Buffer;
    link: Link;
    invitedBy: bigint | null;
    at: Date;
    expiresAt: Date;
  },
): Promise<bigint> {
  const target = link.link;
  const invitation = target.purpose === 'invitation' ? target : undefined;
  const reset = target.purpose === 'password_reset' ? target : undefined;
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into one_time_links (token_hash, purpose, email, person_id, tenant_id, role, invited_by,
       created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      link.tokenHash,
      target.purpose,
      target.email,
      reset?.personId ?? null,
      invitation?.tenantId ?? null,
      invitation?.role ?? null,
      link.invitedBy,
      link.at,
      link.expiresAt,
    ],
  );
  if (!rows[0]) throw new Error('an insert returned no row');
  return rows[0].id;
}

/**
 * Deletes up to 100 expired links. Their rows are not needed, because an expired link gets the same answer as
 * an unknown link.
 */
export async function deleteExpiredLinks(tx: Tx, now: Date): Promise<void> {
  await tx.query(
    `delete from one_time_links where id in (select id from one_time_links
       where expires_at <= $1 order by expires_at limit 100 for update skip locked)`,
    [now],
  );
}

export async function deleteResetLinks(tx: Tx, personId: bigint): Promise<void> {
  await tx.query('delete from one_time_links where person_id = $1 and used_at is null', [personId]);
}

export async function listInvitationsOf(
  db: Queryable,
  tenantId: bigint,
  now: Date,
): Promise<OpenInvitation[]> {
  const { rows } = await db.query<OpenInvitation>(
    `select id, email, role, invited_by as "invitedBy", created_at as "createdAt",
       expires_at as "expiresAt"
     from one_time_links where tenant_id = $1 and used_at is null and expires_at > $2
     order by created_at desc, id desc`,
    [tenantId, now],
  );
  return rows;
}

/** Deletes an open invitation and returns its e-mail, or undefined if there is no such open invitation. */
export async function deleteInvitation(
  tx: Tx,
  key: { tenantId: bigint; id: bigint },
): Promise<string | undefined> {
  const { rows } = await tx.query<{ email: string }>(
    `delete from one_time_links where tenant_id = $1 and id = $2 and used_at is null
     returning email`,
    [key.tenantId, key.id],
  );
  return rows[0]?.email;
}

/** Deletes the tenant's open invitations to this e-mail, and the tenant's open invitations by this person. */
export async function deleteInvitations(
  tx: Tx,
  match: { tenantId: bigint; email: string | null; invitedBy: bigint | null },
): Promise<void> {
  await tx.query(
    `delete from one_time_links
     where tenant_id = $1 and used_at is null and (email = $2 or invited_by = $3)`,
    [match.tenantId, match.email, match.invitedBy],
  );
}
