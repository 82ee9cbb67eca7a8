// Inserts, reads, changes and deletes rows of `webhook_endpoints`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import { type Endpoint, type EndpointKey, maxWaiting } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';

export const fromEndpointRow = (tables: WebhookTables, row: Readonly<Record<string, unknown>>): Endpoint => ({
  ...fromRow<Endpoint>(row),
  tenant: BigInt(row[tables.tenantColumn] as bigint),
  cursors: tables.streams.map((stream) => BigInt(row[stream.cursorColumn] as bigint)),
});

/**
 * Returns an SQL expression: the number of waiting events, up to a limit, plus the number of unread positions
 * of the streams. A stream counts 0 if the endpoint subscribes to none of its types.
 */
const pendingOf = (tables: WebhookTables) =>
  [
    `(select count(*) from (select 1 from webhook_waiting w
       where w.${tables.tenantColumn} = e.${tables.tenantColumn} and w.endpoint_id = e.id
       limit ${maxWaiting}) as few)`,
    ...tables.streams.map(
      (stream) => `case when e.events && array['${stream.types.join("', '")}'] then
         greatest(0, coalesce((select h.sequence from ${stream.headTable} h
           where h.${tables.tenantColumn} = e.${tables.tenantColumn}), 0) - e.${stream.cursorColumn})
         else 0 end`,
    ),
  ].join(' + ');

export async function selectEndpoints(
  db: Queryable,
  tables: WebhookTables,
  tenant: bigint,
): Promise<{ endpoint: Endpoint; pending: number }[]> {
  const { rows } = await db.query<{ pending: number }>(
    `select e.*, least(${maxWaiting}, ${pendingOf(tables)})::int as pending
     from webhook_endpoints e where e.${tables.tenantColumn} = $1 order by e.id`,
    [tenant],
  );
  return rows.map((row) => ({ endpoint: fromEndpointRow(tables, row), pending: row.pending }));
}

export async function lockEndpoint(
  tx: Tx,
  tables: WebhookTables,
  key: EndpointKey,
): Promise<Endpoint | undefined> {
  const { rows } = await tx.query(
    `select * from webhook_endpoints where ${tables.tenantColumn} = $1 and id = $2 for update`,
    [key.tenant, key.id],
  );
  return rows[0] && fromEndpointRow(tables, rows[0]);
}

export async function nextEndpointId(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(`select nextval('webhook_endpoint_ids') as id`);
  return rows[0]?.id ?? 0n;
}

/**
 * Inserts an endpoint. Its cursors start at the current end of the streams, so only later events are sent.
 */
export async function insertEndpoint(
  tx: Tx,
  tables: WebhookTables,
  made: EndpointKey & Pick<Endpoint, 'url' | 'description' | 'events' | 'secretSealed' | 'createdAt'>,
): Promise<void> {
  const columns = tables.streams.map((stream) => stream.cursorColumn);
  const heads = tables.streams.map(
    (stream) => `coalesce((select sequence from ${stream.headTable}
       where ${tables.tenantColumn} = $1), 0)`,
  );
  await tx.query(
    `insert into webhook_endpoints (${tables.tenantColumn}, id, url, description, events,
       secret_sealed, created_at, ${columns.join(', ')})
     values ($1, $2, $3, $4, $5, $6, $7, ${heads.join(', ')})`,
    [made.tenant, made.id, made.url, made.description, made.events, made.secretSealed, made.createdAt],
  );
}

/** Saves a change that a person made. If the number of failures is 0, the pause of the endpoint ends. */
export async function saveEndpoint(tx: Tx, tables: WebhookTables, endpoint: Endpoint): Promise<void> {
  await tx.query(
    `update webhook_endpoints set url = $3, description = $4, events = $5, state = $6,
       disabled_reason = $7, failing_since = $8, secret_sealed = $9, previous_sealed = $10,
       previous_until = $11, failures = $12,
       paused_until = case when $12 = 0 then null else paused_until end
     where ${tables.tenantColumn} = $1 and id = $2`,
    [
      endpoint.tenant,
      endpoint.id,
      endpoint.url,
      endpoint.description,
      endpoint.events,
      endpoint.state,
      endpoint.disabledReason ?? null,
      endpoint.failingSince ?? null,
      endpoint.secretSealed,
      endpoint.previousSealed ?? null,
      endpoint.previousUntil ?? null,
      endpoint.failures,
    ],
  );
}

export async function deleteEndpoint(tx: Tx, tables: WebhookTables, key: EndpointKey): Promise<void> {
  await tx.query(`delete from webhook_endpoints where ${tables.tenantColumn} = $1 and id = $2`, [
    key.tenant,
    key.id,
  ]);
}
