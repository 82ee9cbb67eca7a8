// Starts the delivery of webhooks, and records an event for each purchase whose support ends soon.
import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '@counterfoil/webhooks/dispatcher/dispatcher';
import { recordAudit } from './audit/record-audit.ts';
import { recordSupportEndings } from './purchases/management/record-support-endings.ts';
import { webhookTables } from './webhooks/events.ts';
import { listListeningWorkspaces } from './webhooks/queries.ts';

const hourMs = 3_600_000;

export const startWebhookDispatcher = (deps: DispatcherDeps): Dispatcher =>
  startDispatcher({
    ...deps,
    tables: webhookTables,
    audit: (tx, { tenant: workspaceId, id, ...event }) =>
      recordAudit(tx, { ...event, workspaceId, actor: {}, subject: { kind: 'webhook', id: String(id) } }),
    tasks: [{ everyMs: hourMs, run: () => recordAllSupportEndings(deps) }],
  });

/**
 * Records the endings of support in all workspaces. A workspace without an endpoint is skipped, so that an
 * endpoint that is added later still gets the event.
 */
export async function recordAllSupportEndings({ db, now }: DispatcherDeps): Promise<void> {
  for (const workspaceId of await listListeningWorkspaces(db)) {
    await recordSupportEndings(db, { workspaceId, now: now() });
  }
}
