// Starts the delivery of webhooks. Also records events and sends mails about support that ends soon, and
// sends mails about webhooks that were disabled.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '@counterfoil/webhooks/dispatcher/dispatcher';
import type { EndpointKey } from '@counterfoil/webhooks/endpoints/endpoint';
import { findEndpoint } from '@counterfoil/webhooks/queries';
import { recordAudit } from './audit/record-audit.ts';
import { mailOwners } from './mail/mail-owners.ts';
import { mailSupportEndings } from './purchases/management/mail-support-endings.ts';
import { recordSupportEndings } from './purchases/management/record-support-endings.ts';
import { webhookTables } from './webhooks/events.ts';
import { listListeningWorkspaces } from './webhooks/queries.ts';
import { getWorkspace } from './workspaces/queries.ts';

const hourMs = 3_600_000;

interface LicensingDispatcherDeps extends DispatcherDeps {
  readonly mailer?: Mailer | undefined;
}

export const startWebhookDispatcher = (deps: LicensingDispatcherDeps): Dispatcher =>
  startDispatcher({
    ...deps,
    tables: webhookTables,
    audit: async (tx, { tenant: workspaceId, id, ...event }) => {
      const subject = { kind: 'webhook', id: String(id) };
      await recordAudit(tx, { ...event, workspaceId, actor: {}, subject });
      if (event.action === 'webhook_disabled') {
        await mailDisabledWebhook(deps.mailer, tx, { tenant: workspaceId, id });
      }
    },
    tasks: [
      { everyMs: hourMs, run: () => recordAllSupportEndings(deps) },
      { everyMs: hourMs, run: () => mailSupportEndings(deps) },
    ],
  });

async function mailDisabledWebhook(mailer: Mailer | undefined, tx: Tx, key: EndpointKey): Promise<void> {
  const endpoint = await findEndpoint(tx, webhookTables, key);
  if (!mailer || !endpoint) return;
  const { name } = await getWorkspace(tx, key.tenant);
  const values = {
    tenant: name,
    // Only the host is sent, because the path and the query may contain a secret of the receiver.
    host: new URL(endpoint.url).host,
    reason: endpoint.disabledReason === 'gone' ? ('gone' as const) : ('failing' as const),
    url: `${mailer.sender.publicUrl}/w/${key.tenant}/settings/webhooks/${key.id}`,
  };
  await mailOwners(mailer, tx, key.tenant, { kind: 'webhook_disabled', values });
}

/**
 * Records events for the ends of support in all workspaces that have an endpoint. Workspaces without an
 * endpoint are skipped. If such a workspace adds an endpoint later, the endpoint still gets the event.
 */
export async function recordAllSupportEndings({ db, now }: DispatcherDeps): Promise<void> {
  for (const workspaceId of await listListeningWorkspaces(db)) {
    await recordSupportEndings(db, { workspaceId, now: now() });
  }
}
