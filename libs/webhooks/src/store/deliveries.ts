// Inserts rows of `webhook_deliveries`, which has one row per attempt and one partition per day.
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
  readonly status: number | null;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly error: string | null;
  readonly nextAttemptAt: Date | null;
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
      list.map((each) => each.status),
      list.map((each) => each.outcome),
      list.map((each) => each.durationMs),
      list.map((each) => each.error),
      list.map((each) => each.nextAttemptAt?.toISOString() ?? null),
    ],
  );
}
