// One delivery run for one endpoint: claims the endpoint, sends the due events, saves the results, releases
// the claim.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Logger } from '@counterfoil/kit/observability/logging';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { Endpoint, EndpointKey } from '../endpoints/endpoint.ts';
import { type WebhookEvent, writeBody } from '../outbox/event.ts';
import { claimEndpoint } from '../store/leases.ts';
import { evaluateRun, type Standing } from './evaluate-run.ts';
import { type Gathered, gatherJobs } from './gather-jobs.ts';
import { runQueues } from './ordered-queues.ts';
import { type SaveDeps, saveRun } from './save-run.ts';
import type { AttemptResult, AttemptSender } from './send-attempt.ts';
import { listSecrets, signWebhook } from './signature.ts';

/** After this time, a run starts no new attempt. */
const runMs = deadlineMs(20_000);
/**
 * The duration of a claim. It is longer than the longest run, including the last attempt of that run. So two
 * processes never send to the same endpoint at the same time.
 */
const leaseMs = deadlineMs(60_000);

interface SendDeps {
  readonly masterKey: MasterKey;
  readonly sender: AttemptSender;
  readonly now: () => Date;
}

export interface DeliveryRunDeps extends SaveDeps, SendDeps {
  readonly logger: Logger;
  readonly onAttempt: (attempt: { outcome: string; lagMs: number }) => void;
  readonly onDisabled: () => void;
  readonly signal: AbortSignal;
  /** Whether the process is stopping. If it is, no new attempt begins. */
  readonly isStopping: () => boolean;
}

/** Makes one delivery run for an endpoint. Returns whether another run should follow at once. */
export async function runDelivery(deps: DeliveryRunDeps, key: EndpointKey): Promise<boolean> {
  const { db, tables, now } = deps;
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  const endpoint = await claimEndpoint(db, tables, { ...key, owner: deps.owner, at, until });
  if (!endpoint) return false;
  const began = performance.now();
  const gathered = await gatherJobs(db, tables, endpoint, at);
  const results = await runQueues(gathered.jobs, {
    now,
    isOver: () => deps.isStopping() || performance.now() - began > runMs,
    send: ({ event }) => sendEvent(deps, endpoint, event, deps.signal),
  });
  for (const { result, event, at: sentAt } of results.attempted) {
    const lagMs = sentAt.getTime() - event.at.getTime();
    deps.onAttempt({ outcome: result.outcome, lagMs });
  }
  const { disableAfterMs } = deps;
  const standing = evaluateRun({ endpoint, results, at: now(), disableAfterMs });
  const saved = await saveRun(deps, { endpoint, gathered, results, standing });
  if (!saved) deps.logger.warn({ webhook: String(key.id) }, 'a claim expired before its delivery run ended');
  if (saved && standing.disabledReason !== undefined) reportDisabled(deps, endpoint, standing);
  return saved && !deps.isStopping() && hasMore(gathered, standing);
}

/** Makes one attempt to deliver the event, signed with the secrets of the endpoint. */
export function sendEvent(
  deps: SendDeps,
  endpoint: Endpoint,
  event: WebhookEvent,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  const body = writeBody(event);
  const secrets = listSecrets(deps.masterKey, endpoint, deps.now());
  const headers = signWebhook({ id: event.id, body, secrets });
  return deps.sender.send({ url: endpoint.url, headers, body, signal });
}

/** Whether another run should follow at once: there may be more events, and the receiver is not failing. */
const hasMore = (gathered: Gathered, standing: Standing) =>
  gathered.isFull && standing.failingSince === undefined && !standing.disabledReason;

function reportDisabled(deps: DeliveryRunDeps, { tenant, id }: Endpoint, standing: Standing): void {
  deps.onDisabled();
  const about = { tenant: String(tenant), webhook: String(id), reason: standing.disabledReason };
  deps.logger.warn(about, 'a webhook endpoint was disabled');
}
