// Stores the claims on endpoints, which expire, and the state of an endpoint after a delivery run.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Standing } from '../dispatcher/evaluate-run.ts';
import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';
import { fromEndpointRow } from './endpoints.ts';

/**
 * Selects enabled endpoints that have due events, no valid claim and no pause, ordered by the end of their
 * last claim.
 */
export async function selectDueEndpoints(
  db: Queryable,
  tables: WebhookTables,
  wanted: { at: Date; limit: number },
): Promise<EndpointKey[]> {
  const { tenantColumn, streams } = tables;
  const ahead = streams.map(
    (stream) => `exists (select from ${stream.headTable} h
       where h.${tenantColumn} = e.${tenantColumn} and h.sequence > e.${stream.cursorColumn})`,
  );
  const { rows } = await db.query<{ tenant: bigint | number; id: bigint }>(
    `select e.${tenantColumn} as tenant, e.id from webhook_endpoints e
     where e.state = 'enabled' and (e.lease_owner is null or e.lease_until <= $1)
       and (e.paused_until is null or e.paused_until <= $1)
       and (e.retry_at <= $1 or ${ahead.join(' or ')})
     order by e.lease_until limit $2`,
    [wanted.at, wanted.limit],
  );
  return rows.map((row) => ({ tenant: BigInt(row.tenant), id: row.id }));
}

/**
 * Claims the endpoint in one statement, so that only one process gets the claim. Returns undefined if another
 * process has a valid claim, or if the endpoint is disabled.
 */
export async function claimEndpoint(
  db: Queryable,
  tables: WebhookTables,
  claim: EndpointKey & { owner: string; at: Date; until: Date },
): Promise<Endpoint | undefined> {
  const { rows } = await db.query(
    `update webhook_endpoints set lease_owner = $3, lease_until = $5
     where ${tables.tenantColumn} = $1 and id = $2 and state = 'enabled'
       and (lease_owner is null or lease_until <= $4)
     returning *`,
    [claim.tenant, claim.id, claim.owner, claim.at, claim.until],
  );
  return rows[0] && fromEndpointRow(tables, rows[0]);
}

/**
 * Whether this process still holds the claim. The row of the endpoint stays locked until the end of the
 * transaction.
 */
export async function lockClaim(
  tx: Tx,
  tables: WebhookTables,
  claim: EndpointKey & { owner: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from webhook_endpoints
     where ${tables.tenantColumn} = $1 and id = $2 and lease_owner = $3 for update`,
    [claim.tenant, claim.id, claim.owner],
  );
  return rowCount === 1;
}

interface RunEnd extends EndpointKey, Standing {
  readonly at: Date;
  readonly cursors: readonly bigint[];
  readonly deliveredAt: Date | undefined;
}

/**
 * Saves the end of a run and releases the claim. Of each subject, only the first waiting event is retried.
 * `retry_at` is the earliest time at which one of these events is retried.
 */
export async function saveRunEnd(tx: Tx, tables: WebhookTables, end: RunEnd): Promise<void> {
  const { tenantColumn, streams } = tables;
  const cursors = streams.map((stream, i) => `${stream.cursorColumn} = $${10 + i}`);
  await tx.query(
    `update webhook_endpoints set failing_since = $4, failures = $5, paused_until = $6,
       last_delivered_at = coalesce($7, last_delivered_at),
       state = case when $8::text is null then state else 'disabled' end,
       disabled_reason = coalesce($8, disabled_reason), lease_owner = null, lease_until = $3,
       retry_at = $9, ${cursors.join(', ')}
     where ${tenantColumn} = $1 and id = $2`,
    [
      end.tenant,
      end.id,
      end.at,
      end.failingSince ?? null,
      end.failures,
      end.pausedUntil ?? null,
      end.deliveredAt ?? null,
      end.disabledReason ?? null,
      await findRetryTime(tx, tables, end),
      ...end.cursors,
    ],
  );
}

async function findRetryTime(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  key: EndpointKey,
): Promise<Date | null> {
  const { rows } = await tx.query<{ at: Date | null }>(
    `select min(next_attempt_at) as at from (select distinct on (subject) next_attempt_at
       from webhook_waiting where ${tenantColumn} = $1 and endpoint_id = $2
       order by subject, id) as firsts`,
    [key.tenant, key.id],
  );
  return rows[0]?.at ?? null;
}

/** Makes the endpoint due at once, so that the next search finds it. */
export async function hastenEndpoint(
  tx: Tx,
  { tenantColumn }: WebhookTables,
  key: EndpointKey & { at: Date },
): Promise<void> {
  await tx.query(`update webhook_endpoints set retry_at = $3 where ${tenantColumn} = $1 and id = $2`, [
    key.tenant,
    key.id,
    key.at,
  ]);
}
