// The licensing service's webhooks: one stream of events per workspace, sent by every process in turn.

import {
  type Dispatcher,
  type DispatcherDeps,
  startDispatcher,
} from '@counterfoil/webhooks/dispatcher/dispatcher';
import type { WebhookTables } from '@counterfoil/webhooks/outbox/event';
import { createOutboxStream } from '@counterfoil/webhooks/outbox/outbox';
import { recordAudit } from '../audit/record-audit.ts';
import { noteSupportEndings } from '../purchases/note-support-endings.ts';
import { eventTypes } from './event-types.ts';
import { selectListeners } from './store.ts';

const hourMs = 3_600_000;

export const webhookTables: WebhookTables = {
  tenantColumn: 'workspace_id',
  streams: [createOutboxStream('workspace_id', Object.keys(eventTypes))],
};

export const startWebhookDispatcher = (deps: DispatcherDeps): Dispatcher =>
  startDispatcher({
    ...deps,
    tables: webhookTables,
    audit: (tx, { tenant, id, at, action, details }) =>
      recordAudit(tx, {
        ...{ workspaceId: tenant, at, actor: {}, action, details },
        subject: { kind: 'webhook', id: String(id) },
      }),
    tasks: [{ everyMs: hourMs, run: () => noteAllSupportEndings(deps) }],
  });

/** Of the workspaces that somebody listens to; where nobody does, nothing is marked as told. */
export async function noteAllSupportEndings({ db, now }: DispatcherDeps): Promise<void> {
  for (const workspaceId of await selectListeners(db)) {
    await noteSupportEndings(db, { workspaceId, now: now() });
  }
}
