// The events of the licensing service: their types, the tables of their endpoints, and how they are recorded.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { WebhookTables } from '@counterfoil/webhooks/outbox/event';
import {
  createOutboxStream,
  type OutboxEvent,
  recordEvents,
} from '@counterfoil/webhooks/outbox/outbox';

export const eventTypes = {
  'purchase.issued': 'A sale was recorded and has its purchase code; imports of history send none.',
  'purchase.refunded': 'A purchase was refunded: its code is no longer valid.',
  'purchase.cancelled': 'A purchase was cancelled: its code is no longer valid.',
  'purchase.disputed': 'A payment is disputed: the code is not valid while that lasts.',
  'purchase.dispute_won': 'A dispute ended well: the code is valid again.',
  'purchase.support_ending': 'The support of an active purchase ends within seven days.',
  'key.rotated': 'An API key was replaced by another.',
} as const;

export type EventType = keyof typeof eventTypes;

export const webhookTables: WebhookTables = {
  tenantColumn: 'workspace_id',
  streams: [createOutboxStream('workspace_id', Object.keys(eventTypes))],
};

export type NewEvent = OutboxEvent & { readonly type: EventType };

/** Called last in the transaction that makes the change. */
export const recordEvent = (
  tx: Tx,
  workspaceId: bigint,
  ...events: readonly NewEvent[]
): Promise<void> => recordEvents(tx, 'workspace_id', { tenant: workspaceId, events });
