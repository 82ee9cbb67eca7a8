// Lists undelivered messages for the panel, and messages for the mailbox of the demo.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { MailKey } from '../message.ts';
import type { MailRow } from './store.ts';

export interface ListedMail extends MailKey {
  readonly kind: string;
  readonly recipient: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly attempts: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date;
  readonly expiresAt?: Date;
  readonly error?: string;
  readonly smtpStatus?: number;
}

const columns = `tenant_id, id, kind, recipient, state, attempts, created_at, next_attempt_at, expires_at,
  error, smtp_status`;

const maxId = 2n ** 63n - 1n;

/**
 * Lists the messages that were not delivered, newest first: dead letters, and messages whose last attempt
 * failed. Without a tenant, the list covers all tenants.
 */
export const listUndelivered = (
  db: Queryable,
  wanted: { tenantId: bigint | undefined; before: bigint | undefined; limit: number },
): Promise<ListedMail[]> =>
  queryRows(
    db,
    `select ${columns} from mail_outbox
     where (state = 'failed' or (state = 'waiting' and attempts > 0)) and id < $1
       ${wanted.tenantId === undefined ? '' : 'and tenant_id = $3'}
     order by id desc limit $2`,
    [wanted.before ?? maxId, wanted.limit, ...(wanted.tenantId === undefined ? [] : [wanted.tenantId])],
  );

/** Finds the message with this id. If a tenant is given, a message of another tenant is not found. */
export const findMail = (
  db: Queryable,
  wanted: { tenantId: bigint | undefined; id: bigint },
): Promise<ListedMail | undefined> =>
  queryRow(
    db,
    `select ${columns} from mail_outbox where ($1::bigint is null or tenant_id = $1) and id = $2`,
    [wanted.tenantId ?? null, wanted.id],
  );

/** Lists the newest messages that still have their content, for the mailbox of the demo. */
export const listMailbox = (db: Queryable, limit: number): Promise<MailRow[]> =>
  queryRows(
    db,
    `select tenant_id, id, kind, recipient, language, content_sealed, attempts, created_at, expires_at
     from mail_outbox where state = 'sent' and content_sealed is not null order by id desc limit $1`,
    [limit],
  );

export async function countWaitingMail(db: Queryable, tenantId: bigint): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from mail_outbox where tenant_id = $1 and state = 'waiting'`,
    [tenantId],
  );
  return rows[0]?.count ?? 0;
}
