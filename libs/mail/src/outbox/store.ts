// Reads and writes `mail_outbox`. The tenant is the first column of the key. In this file, only the search
// for due messages, the limit per address and the deletion of old messages read rows of several tenants.
import type { Language } from '@counterfoil/kit/http/headers';
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { MailKey, MailKind } from '../message.ts';

export interface MailRow extends MailKey {
  readonly kind: MailKind;
  readonly recipient: string;
  readonly language: Language;
  readonly contentSealed?: Buffer;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
}

const columns = 'tenant_id, id, kind, recipient, language, content_sealed, attempts, created_at, expires_at';

export async function nextMailId(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(`select nextval('mail_ids') as id`);
  if (!rows[0]) throw new Error('a sequence returned no number');
  return rows[0].id;
}

export async function insertMail(
  tx: Tx,
  mail: Omit<MailRow, 'attempts' | 'contentSealed' | 'expiresAt'> & {
    contentSealed: Buffer;
    expiresAt: Date | undefined;
  },
): Promise<void> {
  await tx.query(
    `insert into mail_outbox (tenant_id, id, kind, recipient, language, content_sealed, created_at,
       next_attempt_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8)`,
    [
      mail.tenantId,
      mail.id,
      mail.kind,
      mail.recipient,
      mail.language,
      mail.contentSealed,
      mail.createdAt,
      mail.expiresAt ?? null,
    ],
  );
}

/** Counts the messages of this kind that all tenants have queued for the address since the time `since`. */
export async function countMailTo(
  db: Queryable,
  wanted: { recipient: string; kind: MailKind; since: Date },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from mail_outbox
     where recipient = $1 and kind = $2 and created_at > $3`,
    [wanted.recipient, wanted.kind, wanted.since],
  );
  return rows[0]?.count ?? 0;
}

export async function deleteMailRows(
  tx: Tx,
  of: { tenantId: bigint; recipient: string; kind: MailKind },
): Promise<void> {
  await tx.query('delete from mail_outbox where recipient = $2 and kind = $3 and tenant_id = $1', [
    of.tenantId,
    of.recipient,
    of.kind,
  ]);
}

/** Selects messages that are due and have no valid claim, in the order of their next attempts. */
export const selectDueMail = (db: Queryable, wanted: { at: Date; limit: number }): Promise<MailKey[]> =>
  queryRows(
    db,
    `select tenant_id, id from mail_outbox
     where state = 'waiting' and next_attempt_at <= $1 and (lease_owner is null or lease_until <= $1)
     order by next_attempt_at limit $2`,
    [wanted.at, wanted.limit],
  );

/**
 * Claims a message in one statement, so that only one process gets the claim. The statement also counts the
 * attempt, before the attempt is made.
 */
export const claimMail = (
  db: Queryable,
  claim: MailKey & { owner: string; at: Date; until: Date },
): Promise<MailRow | undefined> =>
  queryRow(
    db,
    `update mail_outbox set lease_owner = $3, lease_until = $5, attempts = attempts + 1
     where tenant_id = $1 and id = $2 and state = 'waiting' and next_attempt_at <= $4
       and (lease_owner is null or lease_until <= $4)
     returning ${columns}`,
    [claim.tenantId, claim.id, claim.owner, claim.at, claim.until],
  );

/** Records that the server accepted the message. Returns false if the claim was lost. */
export async function saveSent(
  db: Queryable,
  sent: MailKey & { owner: string; at: Date; keepsContent: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mail_outbox set state = 'sent', finished_at = $4, error = null, smtp_status = null,
       lease_owner = null, content_sealed = case when $5 then content_sealed end
     where tenant_id = $1 and id = $2 and lease_owner = $3`,
    [sent.tenantId, sent.id, sent.owner, sent.at, sent.keepsContent],
  );
  return rowCount === 1;
}

interface Failure extends MailKey {
  readonly owner: string;
  readonly at: Date;
  readonly error: string | undefined;
  readonly status: number | undefined;
  /** The time of the next attempt. Without it, the message becomes a dead letter. */
  readonly nextAttemptAt: Date | undefined;
}

export async function saveFailure(db: Queryable, failure: Failure): Promise<boolean> {
  const { rowCount } = await db.query(
    `update mail_outbox set error = $4, smtp_status = $5, lease_owner = null,
       next_attempt_at = coalesce($6, next_attempt_at),
       state = case when $6::timestamptz is null then 'failed' else state end,
       finished_at = case when $6::timestamptz is null then $7::timestamptz end
     where tenant_id = $1 and id = $2 and lease_owner = $3`,
    [
      failure.tenantId,
      failure.id,
      failure.owner,
      failure.error ?? null,
      failure.status ?? null,
      failure.nextAttemptAt ?? null,
      failure.at,
    ],
  );
  return rowCount === 1;
}

/**
 * Makes a dead letter due at once, and counts its attempts from zero again. Returns false if the message is
 * not a dead letter.
 */
export async function saveSendAgain(tx: Tx, key: MailKey & { at: Date }): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update mail_outbox set state = 'waiting', finished_at = null, attempts = 0, next_attempt_at = $3,
       error = null, smtp_status = null
     where tenant_id = $1 and id = $2 and state = 'failed'`,
    [key.tenantId, key.id, key.at],
  );
  return rowCount === 1;
}

/** Deletes finished messages, at most 1,000 per call, so that no statement takes long. */
export async function deleteFinishedMail(
  db: Db,
  wanted: { state: 'sent' | 'failed'; before: Date },
): Promise<void> {
  await db.query(
    `delete from mail_outbox where (tenant_id, id) in (select tenant_id, id from mail_outbox
       where state = $1 and state <> 'waiting' and finished_at < $2 limit 1000)`,
    [wanted.state, wanted.before],
  );
}
