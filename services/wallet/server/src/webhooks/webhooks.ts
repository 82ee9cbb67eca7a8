// The webhooks of the wallet: each package has two streams, its journal and an outbox.

import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Mailer } from '@counterfoil/mail/outbox/mailer';
import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '@counterfoil/webhooks/dispatcher/dispatcher';
import type { EndpointKey } from '@counterfoil/webhooks/endpoints/endpoint';
import type { WebhookTables } from '@counterfoil/webhooks/outbox/event';
import { createOutboxStream } from '@counterfoil/webhooks/outbox/outbox';
import { findEndpoint } from '@counterfoil/webhooks/queries';
import { operator } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { mailCreditAlerts } from '../mail/mail-credit-alerts.ts';
import { mailOwners } from '../mail/mail-owners.ts';
import { stateTypes } from '../packages/package-events.ts';
import { findPackageHome, getManagedPackage } from '../packages/queries.ts';
import { journalStream } from './journal-stream.ts';
import { watchCredit } from './watch-credit.ts';

export const webhookTables: WebhookTables = {
  tenantColumn: 'package_id',
  streams: [createOutboxStream('package_id', Object.keys(stateTypes)), journalStream],
};

interface WalletDispatcherDeps extends DispatcherDeps {
  readonly mailer?: Mailer | undefined;
}

const minuteMs = 60_000;

export const startWebhookDispatcher = (deps: WalletDispatcherDeps): Dispatcher =>
  startDispatcher({
    ...deps,
    tables: webhookTables,
    audit: async (tx, { tenant, id, at, action, details }) => {
      await recordAudit(tx, {
        packageId: Number(tenant),
        at,
        actor: operator,
        action,
        details,
        subject: { kind: 'webhook', id: String(id) },
      });
      if (action === 'webhook_disabled') await mailDisabledWebhook(deps.mailer, tx, { tenant, id });
    },
    tasks: [
      { everyMs: deps.pauseMs ?? 2000, run: () => watchCredit(deps) },
      { everyMs: deps.pauseMs ?? minuteMs, run: () => mailCreditAlerts(deps) },
    ],
  });

/** Queues the mail about a disabled endpoint. For a sandbox, the owners of its real package get the mail. */
async function mailDisabledWebhook(mailer: Mailer | undefined, tx: Tx, key: EndpointKey): Promise<void> {
  const endpoint = await findEndpoint(tx, webhookTables, key);
  const home = await findPackageHome(tx, String(key.tenant));
  if (!mailer || !endpoint || !home) return;
  const { name } = await getManagedPackage(tx, home.packageId);
  const values = {
    tenant: name,
    // The mail shows only the host, because the path and the query may contain a secret of the receiver.
    host: new URL(endpoint.url).host,
    reason: endpoint.disabledReason === 'gone' ? ('gone' as const) : ('failing' as const),
    url: `${mailer.sender.publicUrl}/p/${key.tenant}/settings/webhooks/${key.id}`,
  };
  await mailOwners(mailer, tx, home.tenantId, { kind: 'webhook_disabled', values });
}
