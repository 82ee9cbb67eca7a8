// Rows of `webhook_deliveries`: one per attempt, a partition per day.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { EndpointKey } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';

export type Outcome = 'delivered' | 'failed' | 'refused';

export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly attempt: number;
  readonly at: Date;
  readonly status: number | undefined;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly error: string | undefined;
  readonly nextAttemptAt: Date | undefined;
}

export async function insertDeliveries(
  db: Queryable,
  { tenantColumn }: WebhookTables,
  batch: EndpointKey & { deliveries: readonly Delivery[] },
): Promise<void> {
  const list = batch.deliveries;
  if (list.length === 0) return;
  await db.query(
    `insert into webhook_deliveries (${tenantColumn}, endpoint_id, at, event_id, type, subject,
       attempt, status, outcome, duration_ms, error, next_attempt_at)
     select $1, $2, * from unnest($3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::int[],
       $8::smallint[], $9::text[], $10::int[], $11::text[], $12::timestamptz[])`,
    [
      batch.tenant,
      batch.id,
      list.map((each) => each.at.toISOString()),
      list.map((each) => each.eventId),
      list.map((each) => each.type),
      list.map((each) => each.subject),
      list.map((each) => each.attempt),
      list.map((each) => each.status ?? null),
      list.map((each) => each.outcome),
      list.map((each) => each.durationMs),
      list.map((each) => each.error ?? null),
      list.map((each) => each.nextAttemptAt?.toISOString() ?? null),
    ],
  );
}

/** Newest first, from the end of the page before. */
export async function selectDeliveries(
  db: Queryable,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & {
    outcome: Outcome | undefined;
    before: { at: Date; id: bigint } | undefined;
    limit: number;
  },
): Promise<(Delivery & { id: bigint })[]> {
  const values: unknown[] = [wanted.tenant, wanted.id, wanted.limit];
  const conditions = [`${tenantColumn} = $1 and endpoint_id = $2`];
  if (wanted.outcome) conditions.push(`outcome = $${values.push(wanted.outcome)}`);
  if (wanted.before) {
    const { at, id } = wanted.before;
    conditions.push(`(at, id) < ($${values.push(at)}, $${values.push(id)})`);
  }
  const { rows } = await db.query<{
    id: bigint;
    at: Date;
    event_id: string;
    type: string;
    subject: string;
    attempt: number;
    status: number | null;
    outcome: Outcome;
    duration_ms: number;
    error: string | null;
    next_attempt_at: Date | null;
  }>(
    `select * from webhook_deliveries where ${conditions.join(' and ')}
     order by at desc, id desc limit $3`,
    values,
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    eventId: row.event_id,
    type: row.type,
    subject: row.subject,
    attempt: row.attempt,
    status: row.status ?? undefined,
    outcome: row.outcome,
    durationMs: row.duration_ms,
    error: row.error ?? undefined,
    nextAttemptAt: row.next_attempt_at ?? undefined,
  }));
}
