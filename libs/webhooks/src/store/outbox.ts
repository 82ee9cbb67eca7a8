// Reads and writes `webhook_events`. The row of a tenant in `webhook_heads` assigns the positions of its
// events.
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { WebhookEvent } from '../outbox/event.ts';

export type OutboxEvent = Omit<WebhookEvent, 'id'>;

export interface OutboxRow extends OutboxEvent {
  readonly sequence: bigint;
}

/**
 * Inserts events. The tenant's row in `webhook_heads` stays locked until the transaction ends, so the
 * positions are in the order of the commits.
 */
export async function insertOutboxRows(
  tx: Tx,
  tenantColumn: string,
  batch: { tenant: bigint; events: readonly OutboxEvent[] },
): Promise<void> {
  const { events } = batch;
  const { rows } = await tx.query<{ sequence: bigint }>(
    `insert into webhook_heads as h (${tenantColumn}, sequence) values ($1, $2)
     on conflict (${tenantColumn}) do update set sequence = h.sequence + excluded.sequence
     returning sequence`,
    [batch.tenant, events.length],
  );
  const before = (rows[0]?.sequence ?? 0n) - BigInt(events.length);
  await tx.query(
    `insert into webhook_events (${tenantColumn}, sequence, at, type, subject, data)
     select $1, $2::bigint + place, at, type, subject, data
     from unnest($3::timestamptz[], $4::text[], $5::text[], $6::json[])
       with ordinality as n (at, type, subject, data, place)`,
    [
      batch.tenant,
      before,
      events.map((each) => each.at.toISOString()),
      events.map((each) => each.type),
      events.map((each) => each.subject),
      events.map((each) => JSON.stringify(each.data)),
    ],
  );
}

export const selectOutboxAfter = (
  db: Queryable,
  tenantColumn: string,
  wanted: { tenant: bigint; after: bigint; limit: number },
): Promise<OutboxRow[]> =>
  queryRows(
    db,
    `select sequence, at, type, subject, data from webhook_events
     where ${tenantColumn} = $1 and sequence > $2 order by sequence limit $3`,
    [wanted.tenant, wanted.after, wanted.limit],
  );

export async function selectOutboxHead(db: Queryable, tenantColumn: string, tenant: bigint): Promise<bigint> {
  const { rows } = await db.query<{ sequence: bigint }>(
    `select sequence from webhook_heads where ${tenantColumn} = $1`,
    [tenant],
  );
  return rows[0]?.sequence ?? 0n;
}

export const selectOutboxRows = (
  db: Queryable,
  tenantColumn: string,
  wanted: { tenant: bigint; sequences: readonly bigint[] },
): Promise<OutboxRow[]> =>
  queryRows(
    db,
    `select sequence, at, type, subject, data from webhook_events
     where ${tenantColumn} = $1 and sequence = any ($2::bigint[])`,
    [wanted.tenant, wanted.sequences],
  );

/**
 * Returns the position before the first event at or after `since`. If there is no such event, returns a
 * position after all events.
 */
export async function selectOutboxPosition(
  db: Queryable,
  tenantColumn: string,
  wanted: { tenant: bigint; since: Date },
): Promise<bigint> {
  const { rows } = await db.query<{ sequence: bigint | null }>(
    `select min(sequence) as sequence from webhook_events where ${tenantColumn} = $1 and at >= $2`,
    [wanted.tenant, wanted.since],
  );
  const first = rows[0]?.sequence;
  return first === null || first === undefined ? 2n ** 62n : first - 1n;
}

/**
 * Deletes the oldest events, at most those of one hour, so that no statement takes long. Returns false if
 * there was no event to delete.
 */
export async function deleteOldOutboxRows(db: Db, before: Date): Promise<boolean> {
  const { rows } = await db.query<{ at: Date | null }>(
    'select min(at) as at from webhook_events where at < $1',
    [before],
  );
  const oldest = rows[0]?.at;
  if (!oldest) return false;
  const end = new Date(Math.min(oldest.getTime() + 3_600_000, before.getTime()));
  await db.query('delete from webhook_events where at < $1', [end]);
  return true;
}
