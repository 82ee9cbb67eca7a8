// Reads and writes `webhook_waiting`. The table contains events that the endpoint's cursor has passed
// although they are not delivered yet, and events that a replay sends again.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { EndpointKey } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';

interface WaitingEvent {
  readonly id: bigint;
  readonly eventId: string;
  readonly subject: string;
  readonly attempts: number;
  /** The time at which the event began to wait. */
  readonly since: Date;
}

/** Selects the first waiting event of each subject, if it is due. */
export const selectDueWaiting = (
  db: Queryable,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & { at: Date; limit: number },
): Promise<WaitingEvent[]> =>
  queryRows(
    db,
    `select id, event_id, subject, attempts, since
     from (select distinct on (subject) id, event_id, subject, attempts, since, next_attempt_at
       from webhook_waiting where ${tenantColumn} = $1 and endpoint_id = $2
       order by subject, id) as firsts
     where next_attempt_at <= $3 order by id limit $4`,
    [wanted.tenant, wanted.id, wanted.at, wanted.limit],
  );

/** Selects the subjects that have a waiting event. Newer events of these subjects must wait too. */
export async function selectWaitingSubjects(
  db: Queryable,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & { subjects: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await db.query<{ subject: string }>(
    `select distinct subject from webhook_waiting
     where ${tenantColumn} = $1 and endpoint_id = $2 and subject = any ($3::text[])`,
    [wanted.tenant, wanted.id, wanted.subjects],
  );
  return new Set(rows.map((row) => row.subject));
}

export async function countWaiting(
  db: Queryable,
  { tenantColumn }: WebhookTables,
  key: EndpointKey,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from webhook_waiting
     where ${tenantColumn} = $1 and endpoint_id = $2`,
    [key.tenant, key.id],
  );
  return rows[0]?.count ?? 0;
}

export type NewWaiting = Pick<WaitingEvent, 'eventId' | 'subject' | 'attempts'> & { nextAttemptAt: Date };

/** Inserts waiting events in the order in which they will be sent. */
export async function insertWaiting(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  batch: EndpointKey & { at: Date; events: readonly NewWaiting[] },
): Promise<void> {
  const { events } = batch;
  if (events.length === 0) return;
  await tx.query(
    `insert into webhook_waiting (${tenantColumn}, endpoint_id, since, event_id, subject, attempts,
       next_attempt_at)
     select $1, $2, $3, event_id, subject, attempts, next_attempt_at
     from unnest($4::text[], $5::text[], $6::int[], $7::timestamptz[])
       with ordinality as n (event_id, subject, attempts, next_attempt_at, place) order by place`,
    [
      batch.tenant,
      batch.id,
      batch.at,
      events.map((each) => each.eventId),
      events.map((each) => each.subject),
      events.map((each) => each.attempts),
      events.map((each) => each.nextAttemptAt.toISOString()),
    ],
  );
}

export async function deleteWaiting(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & { ids: readonly bigint[] },
): Promise<void> {
  if (wanted.ids.length === 0) return;
  await tx.query(
    `delete from webhook_waiting
     where ${tenantColumn} = $1 and endpoint_id = $2 and id = any ($3::bigint[])`,
    [wanted.tenant, wanted.id, wanted.ids],
  );
}

export async function postponeWaiting(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  change: EndpointKey & { waitingId: bigint; attempts: number; nextAttemptAt: Date },
): Promise<void> {
  await tx.query(
    `update webhook_waiting set attempts = $4, next_attempt_at = $5
     where ${tenantColumn} = $1 and endpoint_id = $2 and id = $3`,
    [change.tenant, change.id, change.waitingId, change.attempts, change.nextAttemptAt],
  );
}

/** Makes all waiting events due, because the receiver has recovered or a person has changed the endpoint. */
export async function wakeWaiting(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & { at: Date },
): Promise<void> {
  await tx.query(
    `update webhook_waiting set next_attempt_at = $3
     where ${tenantColumn} = $1 and endpoint_id = $2 and next_attempt_at > $3`,
    [wanted.tenant, wanted.id, wanted.at],
  );
}
