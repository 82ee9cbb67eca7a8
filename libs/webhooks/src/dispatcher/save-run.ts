// Writes down a turn in one transaction: cursors, what waits, the log, and how the endpoint stands.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import {
  ensurePartitions,
  isMissingPartition,
  type PartitionedTable,
} from '@counterfoil/kit/postgres/partitions';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { WebhookTables } from '../outbox/event.ts';
import { type Delivery, insertDeliveries } from '../store/deliveries.ts';
import { lockClaim, saveTurnEnd } from '../store/leases.ts';
import {
  deleteWaiting,
  insertWaiting,
  type NewWaiting,
  postponeWaiting,
  wakeWaiting,
} from '../store/waiting.ts';
import { waitForEvent } from './backoff.ts';
import { isHopeless, type Standing } from './evaluate-run.ts';
import type { Gathered } from './gather-jobs.ts';
import type { Attempted, LaneResults } from './ordered-queues.ts';

/** After so long a silence everything is tried again at once when a receiver is back. */
const silenceMs = 60_000;

/** A line in the service's own audit log, in the transaction of what it tells of. */
export type AuditWebhook = (
  tx: Tx,
  line: { tenant: bigint; id: bigint; at: Date; action: string; details: Record<string, unknown> },
) => Promise<void>;

export interface Turn {
  readonly endpoint: Endpoint;
  readonly gathered: Gathered;
  readonly results: LaneResults;
  readonly standing: Standing;
}

interface SaveDeps {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly now: () => Date;
  readonly owner: string;
  readonly disableAfterMs: number;
  readonly audit: AuditWebhook;
}

export const deliveryTable = (keep: number): PartitionedTable => ({
  name: 'webhook_deliveries',
  unit: 'day',
  keep,
  ahead: 7,
});

/** False where the claim was lost: another process sends all of it again, and keeps the books. */
export async function saveTurn(deps: SaveDeps, turn: Turn): Promise<boolean> {
  const save = () => deps.db.transaction((tx) => write(tx, deps, turn));
  try {
    return await save();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const times = turn.results.attempted.map((each) => each.at);
    await ensurePartitions(deps.db, deliveryTable(0), times);
    return await save();
  }
}

async function write(tx: Tx, deps: SaveDeps, turn: Turn): Promise<boolean> {
  const { tables } = deps;
  const { endpoint, gathered, results, standing } = turn;
  const { tenant, id } = endpoint;
  if (!(await lockClaim(tx, tables, { tenant, id, owner: deps.owner }))) return false;
  const at = deps.now();
  const fates = results.attempted.map((each) => judgeFate(each, { at, turn, deps }));
  const done = fates.filter((fate) => fate.nextAttemptAt === undefined);
  const ids = [...done.flatMap(({ waiting }) => (waiting ? [waiting.id] : [])), ...gathered.lost];
  await deleteWaiting(tx, tables, { tenant, id, ids });
  for (const { waiting, attempts, nextAttemptAt } of fates) {
    if (!waiting || !nextAttemptAt) continue;
    const change = { waitingId: waiting.id, attempts: attempts + 1, nextAttemptAt };
    await postponeWaiting(tx, tables, { tenant, id, ...change });
  }
  await insertWaiting(tx, tables, { tenant, id, at, events: listNewWaiting(turn, fates, at) });
  const { failingSince } = endpoint;
  const isBack = failingSince && !standing.failingSince;
  if (isBack && at.getTime() - failingSince.getTime() >= silenceMs) {
    await wakeWaiting(tx, tables, { tenant, id, at });
  }
  // What waits at a disabled endpoint has no time until somebody enables it.
  const isDisabled = standing.disabledReason !== undefined;
  const deliveries = fates.map((fate) => toDelivery(fate, isDisabled));
  await insertDeliveries(tx, tables, { tenant, id, deliveries });
  const delivered = fates.filter((fate) => fate.result.outcome === 'delivered');
  const deliveredAt = delivered.at(-1)?.at;
  await saveTurnEnd(tx, tables, {
    ...{ tenant, id, at, deliveredAt, cursors: gathered.cursors },
    ...standing,
  });
  if (isDisabled) {
    const details = { reason: standing.disabledReason };
    await deps.audit(tx, { tenant, id, at, action: 'webhook_disabled', details });
  }
  return true;
}

interface Fate extends Attempted {
  /** Undefined where it is over: it arrived, or it was given up. */
  readonly nextAttemptAt: Date | undefined;
  readonly isGivenUp: boolean;
}

function judgeFate(attempted: Attempted, given: { at: Date; turn: Turn; deps: SaveDeps }): Fate {
  const { result, attempts } = attempted;
  const { at, turn, deps } = given;
  const isOver = { ...attempted, nextAttemptAt: undefined };
  if (result.outcome === 'delivered') return { ...isOver, isGivenUp: false };
  const { disableAfterMs } = deps;
  if (isHopeless(attempted, { ...turn, at, disableAfterMs })) return { ...isOver, isGivenUp: true };
  const waitMs = waitForEvent(attempts + 1, result.retryAfterMs);
  return { ...attempted, nextAttemptAt: new Date(at.getTime() + waitMs), isGivenUp: false };
}

/** In the order of the streams: what failed first, then what stands behind it. */
function listNewWaiting(turn: Turn, fates: readonly Fate[], at: Date): NewWaiting[] {
  const failed = fates.flatMap(({ event, attempts, waiting, nextAttemptAt }): NewWaiting[] =>
    waiting || !nextAttemptAt
      ? []
      : [{ eventId: event.id, subject: event.subject, attempts: attempts + 1, nextAttemptAt }],
  );
  const left = [...turn.results.left, ...turn.gathered.behind].flatMap(
    ({ event, waiting }): NewWaiting[] =>
      waiting
        ? []
        : [{ eventId: event.id, subject: event.subject, attempts: 0, nextAttemptAt: at }],
  );
  return [...failed, ...left];
}

const toDelivery = (fate: Fate, isDisabled: boolean): Delivery => ({
  eventId: fate.event.id,
  type: fate.event.type,
  subject: fate.event.subject,
  attempt: fate.attempts + 1,
  at: fate.at,
  status: fate.result.status,
  outcome: fate.result.outcome,
  durationMs: fate.result.durationMs,
  error: fate.isGivenUp ? 'given_up' : fate.result.error,
  nextAttemptAt: isDisabled ? undefined : fate.nextAttemptAt,
});
