// The wallet's webhooks: the journal and an outbox as two streams per package, sent by every process in turn.
import type { Db } from '@counterfoil/kit/db';
import type { Logger } from '@counterfoil/kit/logging';
import type { Metrics } from '@counterfoil/kit/metrics';
import type { MasterKey } from '@counterfoil/kit/secrets';
import type { WebhookTables } from '@counterfoil/kit/webhooks/event';
import { createOutboxStream } from '@counterfoil/kit/webhooks/outbox';
import { type Relay, startRelay } from '@counterfoil/kit/webhooks/relay';
import type { AttemptSender } from '@counterfoil/kit/webhooks/send-attempt';
import type { WebhookSettings } from '@counterfoil/kit/webhooks/webhook-settings';
import { operator } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { stateTypes } from './event-types.ts';
import { journalStream } from './journal-stream.ts';
import { watchCredit } from './watch-credit.ts';

export const webhookTables: WebhookTables = {
  tenantColumn: 'package_id',
  streams: [createOutboxStream('package_id', Object.keys(stateTypes)), journalStream],
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
        ...{ packageId: Number(tenant), at, actor: operator, action, details },
        subject: { kind: 'webhook', id: String(id) },
      }),
    chores: [{ everyMs: deps.pauseMs ?? 2000, run: () => watchCredit(deps) }],
  });
