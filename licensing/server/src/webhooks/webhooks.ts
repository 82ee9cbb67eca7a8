// The licensing service's webhooks: one stream of events per workspace, sent by every process in turn.
import type { Db } from '@counterfoil/kit/db';
import type { Logger } from '@counterfoil/kit/logging';
import type { Metrics } from '@counterfoil/kit/metrics';
import type { MasterKey } from '@counterfoil/kit/secrets';
import type { WebhookTables } from '@counterfoil/kit/webhooks/event';
import { createOutboxStream } from '@counterfoil/kit/webhooks/outbox';
import { type Relay, startRelay } from '@counterfoil/kit/webhooks/relay';
import type { AttemptSender } from '@counterfoil/kit/webhooks/send-attempt';
import type { WebhookSettings } from '@counterfoil/kit/webhooks/webhook-settings';
import { recordAudit } from '../audit/record-audit.ts';
import { noteSupportEndings } from '../purchases/note-support-endings.ts';
import { eventTypes } from './event-types.ts';
import { selectListeners } from './store.ts';

const hourMs = 3_600_000;

export const webhookTables: WebhookTables = {
  tenantColumn: 'workspace_id',
  streams: [createOutboxStream('workspace_id', Object.keys(eventTypes))],
};

export interface WebhookDeps {
  readonly db: Db;
  readonly masterKey: MasterKey;
  readonly sender: AttemptSender;
  readonly logger: Logger;
  readonly registry: Metrics;
  readonly settings: WebhookSettings;
  readonly now: () => Date;
  /** How long it rests when there is nothing to do. */
  readonly pauseMs?: number;
}

export const startWebhookRelay = (deps: WebhookDeps): Relay =>
  startRelay({
    ...deps,
    tables: webhookTables,
    audit: (tx, { tenant, id, at, action, details }) =>
      recordAudit(tx, {
        ...{ workspaceId: tenant, at, actor: {}, action, details },
        subject: { kind: 'webhook', id: String(id) },
      }),
    chores: [{ everyMs: hourMs, run: () => noteAllSupportEndings(deps) }],
  });

/** Of the workspaces that somebody listens to; where nobody does, nothing is marked as told. */
export async function noteAllSupportEndings({ db, now }: WebhookDeps): Promise<void> {
  for (const workspaceId of await selectListeners(db)) {
    await noteSupportEndings(db, { workspaceId, now: now() });
  }
}
