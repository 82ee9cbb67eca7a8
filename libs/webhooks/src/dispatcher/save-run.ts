// Saves a delivery run in one transaction: cursors, waiting events, the log and the endpoint's state.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import {
  ensurePartitions,
  type PartitionedTable,
  writePartitioned,
} from '@counterfoil/kit/postgres/partitions';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';
import { type Delivery, insertDeliveries } from '../store/deliveries.ts';
import { lockClaim, saveRunEnd } from '../store/leases.ts';
import {
  deleteWaiting,
  insertWaiting,
  type NewWaiting,
  postponeWaiting,
  wakeWaiting,
} from '../store/waiting.ts';
import { isHopeless, type Standing, waitForEvent } from './evaluate-run.ts';
import type { Gathered } from './gather-jobs.ts';
import type { Attempted, QueueResults } from './ordered-queues.ts';

/**
 * If a receiver has failed for at least this time and then recovers, all its waiting events become due at
 * once.
 */
const silenceMs = 60_000;

/** Writes an entry to the service's audit log, in the transaction of the change. */
export type AuditWebhook = (
  tx: Tx,
  line: { tenant: bigint; id: bigint; at: Date; action: string; details: Record<string, unknown> },
) => Promise<void>;

export interface DeliveryRun {
  readonly endpoint: Endpoint;
  readonly gathered: Gathered;
  readonly results: QueueResults;
  readonly standing: Standing;
}

export interface SaveDeps {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly now: () => Date;
  /** The id of this process, which has claimed the endpoint. */
  readonly owner: string;
  /** The time after which an endpoint that keeps failing is disabled. */
  readonly disableAfterMs: number;
  readonly audit: AuditWebhook;
}

export const deliveryTable = (keep: number): PartitionedTable => ({
  name: 'webhook_deliveries',
  unit: 'day',
  keep,
  ahead: 7,
});

/**
 * Saves the results of a run. If the claim expired and another process has claimed the endpoint since, saves
 * nothing and returns false. The other process sends the events again, and saves its own results.
 */
export function saveRun(deps: SaveDeps, run: DeliveryRun): Promise<boolean> {
  const save = () => deps.db.transaction((tx) => write(tx, deps, run));
  const times = run.results.attempted.map((each) => each.at);
  return writePartitioned(save, () => ensurePartitions(deps.db, deliveryTable(0), times));
}

async function write(tx: Tx, deps: SaveDeps, run: DeliveryRun): Promise<boolean> {
  const { tables } = deps;
  const { endpoint, gathered, results, standing } = run;
  const { tenant, id } = endpoint;
  if (!(await lockClaim(tx, tables, { tenant, id, owner: deps.owner }))) return false;
  const at = deps.now();
  const evaluated = results.attempted.map((each) => evaluateAttempt(each, { at, run, deps }));
  const done = evaluated.filter((attempt) => attempt.nextAttemptAt === undefined);
  const ids = [...done.flatMap(({ waiting }) => (waiting ? [waiting.id] : [])), ...gathered.lost];
  await deleteWaiting(tx, tables, { tenant, id, ids });
  for (const { waiting, attempts, nextAttemptAt } of evaluated) {
    if (!waiting || !nextAttemptAt) continue;
    const change = { waitingId: waiting.id, attempts: attempts + 1, nextAttemptAt };
    await postponeWaiting(tx, tables, { tenant, id, ...change });
  }
  await insertWaiting(tx, tables, { tenant, id, at, events: listNewWaiting(run, evaluated, at) });
  const { failingSince } = endpoint;
  const isBack = failingSince && !standing.failingSince;
  if (isBack && at.getTime() - failingSince.getTime() >= silenceMs) {
    await wakeWaiting(tx, tables, { tenant, id, at });
  }
  // If the run has disabled the endpoint, the log shows no time of a next attempt, because no attempt is made
  // until the endpoint is enabled.
  const isDisabled = standing.disabledReason !== undefined;
  const deliveries = evaluated.map((attempt) => toDelivery(attempt, isDisabled));
  await insertDeliveries(tx, tables, { tenant, id, deliveries });
  const deliveredAt = evaluated.findLast((attempt) => attempt.result.outcome === 'delivered')?.at;
  await saveRunEnd(tx, tables, { tenant, id, at, deliveredAt, cursors: gathered.cursors, ...standing });
  if (isDisabled) {
    const details = { reason: standing.disabledReason };
    await deps.audit(tx, { tenant, id, at, action: 'webhook_disabled', details });
  }
  return true;
}

interface EvaluatedAttempt extends Attempted {
  /** The time of the next attempt. It is undefined once the event was delivered or given up. */
  readonly nextAttemptAt: Date | undefined;
  readonly isGivenUp: boolean;
}

function evaluateAttempt(
  attempted: Attempted,
  given: { at: Date; run: DeliveryRun; deps: SaveDeps },
): EvaluatedAttempt {
  const { result, attempts } = attempted;
  const { at, run, deps } = given;
  const isOver = { ...attempted, nextAttemptAt: undefined };
  if (result.outcome === 'delivered') return { ...isOver, isGivenUp: false };
  const { disableAfterMs } = deps;
  if (isHopeless(attempted, { ...run, at, disableAfterMs })) return { ...isOver, isGivenUp: true };
  const waitMs = waitForEvent(attempts + 1, result.retryAfterMs);
  return { ...attempted, nextAttemptAt: new Date(at.getTime() + waitMs), isGivenUp: false };
}

/**
 * Lists the events that begin to wait after this run: first the failed events, then the events that were not
 * attempted. So the events of one subject stay in their order.
 */
function listNewWaiting(run: DeliveryRun, evaluated: readonly EvaluatedAttempt[], at: Date): NewWaiting[] {
  const failed = evaluated.flatMap(({ event, attempts, waiting, nextAttemptAt }): NewWaiting[] =>
    waiting || !nextAttemptAt
      ? []
      : [{ eventId: event.id, subject: event.subject, attempts: attempts + 1, nextAttemptAt }],
  );
  const left = [...run.results.left, ...run.gathered.behind].flatMap(({ event, waiting }): NewWaiting[] =>
    waiting ? [] : [{ eventId: event.id, subject: event.subject, attempts: 0, nextAttemptAt: at }],
  );
  return [...failed, ...left];
}

const toDelivery = (attempt: EvaluatedAttempt, isDisabled: boolean): Delivery => ({
  eventId: attempt.event.id,
  type: attempt.event.type,
  subject: attempt.event.subject,
  attempt: attempt.attempts + 1,
  at: attempt.at,
  status: attempt.result.status ?? null,
  outcome: attempt.result.outcome,
  durationMs: attempt.result.durationMs,
  error: attempt.isGivenUp ? 'given_up' : (attempt.result.error ?? null),
  nextAttemptAt: isDisabled ? null : (attempt.nextAttemptAt ?? null),
});
