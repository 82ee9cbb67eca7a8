// One turn for one endpoint: claim it, send what is due, write down what came of it, give it back.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { type Endpoint, type EndpointKey, listSecrets } from '../endpoints/endpoint.ts';
import { type WebhookTables, writeBody } from '../outbox/event.ts';
import { claimEndpoint } from '../store/leases.ts';
import { judgeTurn, type Standing } from './evaluate-run.ts';
import { type Gathered, gatherJobs } from './gather-jobs.ts';
import { type Job, runLanes } from './ordered-queues.ts';
import { type AuditWebhook, saveTurn } from './save-run.ts';
import type { AttemptSender } from './send-attempt.ts';
import { signWebhook } from './signature.ts';

/** No attempt begins later than this after the turn's first. */
const turnMs = deadlineMs(20_000);
/** Longer than a turn may take with its last attempt, so that two processes never send at a time. */
const leaseMs = deadlineMs(60_000);

export interface TurnDeps {
  readonly db: Db;
  readonly tables: WebhookTables;
  readonly masterKey: MasterKey;
  readonly sender: AttemptSender;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Of this process. */
  readonly owner: string;
  /** A receiver that does nothing but fail for so long is left alone. */
  readonly disableAfterMs: number;
  readonly audit: AuditWebhook;
  readonly onAttempt: (attempt: { outcome: string; lagMs: number }) => void;
  readonly onDisabled: () => void;
  readonly signal: AbortSignal;
  /** Whether the process is leaving: no further attempt begins. */
  readonly isLeaving: () => boolean;
}

/** Whether there is more to do at once. */
export async function runTurn(deps: TurnDeps, key: EndpointKey): Promise<boolean> {
  const { db, tables, now } = deps;
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  const endpoint = await claimEndpoint(db, tables, { ...key, owner: deps.owner, at, until });
  if (!endpoint) return false;
  const began = performance.now();
  const gathered = await gatherJobs(db, tables, endpoint, at);
  const results = await runLanes(gathered.jobs, {
    now,
    isOver: () => deps.isLeaving() || performance.now() - began > turnMs,
    send: (job) => send(deps, endpoint, job),
  });
  for (const { result, event, at: sentAt } of results.attempted) {
    const lagMs = sentAt.getTime() - event.at.getTime();
    deps.onAttempt({ outcome: result.outcome, lagMs });
  }
  const { disableAfterMs } = deps;
  const standing = judgeTurn({ endpoint, results, at: now(), disableAfterMs });
  const saved = await saveTurn(deps, { endpoint, gathered, results, standing });
  if (!saved)
    deps.logger.warn({ webhook: String(key.id) }, 'a webhook claim ended before its turn');
  if (saved && standing.disabledReason !== undefined) tellDisabled(deps, endpoint, standing);
  return saved && !deps.isLeaving() && hasMore(gathered, standing);
}

function send(deps: TurnDeps, endpoint: Endpoint, { event }: Job) {
  const body = writeBody(event);
  const secrets = listSecrets(deps.masterKey, endpoint, deps.now());
  const headers = signWebhook({ id: event.id, body, secrets });
  return deps.sender.send({ url: endpoint.url, headers, body, signal: deps.signal });
}

/** While a receiver fails nothing is hurried. */
const hasMore = (gathered: Gathered, standing: Standing) =>
  gathered.isFull && standing.failingSince === undefined && !standing.disabledReason;

function tellDisabled(deps: TurnDeps, { tenant, id }: Endpoint, standing: Standing): void {
  deps.onDisabled();
  const about = { tenant: String(tenant), webhook: String(id), reason: standing.disabledReason };
  deps.logger.warn(about, 'a webhook endpoint was disabled');
}
