// The webhooks of the wallet: each package has two streams, its journal and an outbox.

import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '@counterfoil/webhooks/dispatcher/dispatcher';
import type { WebhookTables } from '@counterfoil/webhooks/outbox/event';
import { createOutboxStream } from '@counterfoil/webhooks/outbox/outbox';
import { operator } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { stateTypes } from '../packages/package-events.ts';
import { journalStream } from './journal-stream.ts';
import { watchCredit } from './watch-credit.ts';

export const webhookTables: WebhookTables = {
  tenantColumn: 'package_id',
  streams: [createOutboxStream('package_id', Object.keys(stateTypes)), journalStream],
};

export const startWebhookDispatcher = (deps: DispatcherDeps): Dispatcher =>
  startDispatcher({
    ...deps,
    tables: webhookTables,
    audit: (tx, { tenant, id, at, action, details }) =>
      recordAudit(tx, {
        packageId: Number(tenant),
        at,
        actor: operator,
        action,
        details,
        subject: { kind: 'webhook', id: String(id) },
      }),
    tasks: [{ everyMs: deps.pauseMs ?? 2000, run: () => watchCredit(deps) }],
  });
