// Reads endpoints and their deliveries, for routes and use cases.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Endpoint, EndpointKey } from './endpoints/endpoint.ts';
import type { WebhookTables } from './outbox/event.ts';
import type { Delivery, Outcome } from './store/deliveries.ts';
import { fromEndpointRow } from './store/endpoints.ts';

export async function findEndpoint(
  db: Queryable,
  tables: WebhookTables,
  key: EndpointKey,
): Promise<Endpoint | undefined> {
  const { rows } = await db.query(
    `select * from webhook_endpoints where ${tables.tenantColumn} = $1 and id = $2`,
    [key.tenant, key.id],
  );
  return rows[0] && fromEndpointRow(tables, rows[0]);
}

export type ListedDelivery = Delivery & { id: bigint };

/** Lists deliveries, newest first. `before` is the last delivery of the previous page. */
export async function listDeliveries(
  db: Queryable,
  { tenantColumn }: WebhookTables,
  wanted: EndpointKey & {
    outcome: Outcome | undefined;
    before: { at: Date; id: bigint } | undefined;
    limit: number;
  },
): Promise<ListedDelivery[]> {
  const values: unknown[] = [wanted.tenant, wanted.id, wanted.limit];
  const conditions = [`${tenantColumn} = $1 and endpoint_id = $2`];
  if (wanted.outcome) conditions.push(`outcome = $${values.push(wanted.outcome)}`);
  if (wanted.before) {
    const { at, id } = wanted.before;
    conditions.push(`(at, id) < ($${values.push(at)}, $${values.push(id)})`);
  }
  const { rows } = await db.query<ListedDelivery>(
    `select id, at, event_id as "eventId", type, subject, attempt, status, outcome,
       duration_ms as "durationMs", error, next_attempt_at as "nextAttemptAt"
     from webhook_deliveries where ${conditions.join(' and ')}
     order by at desc, id desc limit $3`,
    values,
  );
  return rows;
}
