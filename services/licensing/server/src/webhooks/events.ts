// The events of the licensing service: their types, the tables of their endpoints, and how they are recorded.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { WebhookTables } from '@counterfoil/webhooks/outbox/event';
import { createOutboxStream, type OutboxEvent, recordEvents } from '@counterfoil/webhooks/outbox/outbox';

export const eventTypes = {
  'purchase.issued': 'A sale was recorded and has a purchase code. Imports of past sales send no event.',
  'purchase.refunded': 'A purchase was refunded. Its code is no longer valid.',
  'purchase.cancelled': 'A purchase was cancelled. Its code is no longer valid.',
  'purchase.disputed': 'A payment is disputed. The code is not valid during the dispute.',
  'purchase.dispute_won':
    'A dispute was won. The code is valid again, unless the seller has blocked the purchase.',
  'purchase.blocked': 'The seller blocked a purchase. Its code is not valid while it is blocked.',
  'purchase.unblocked': 'The seller removed the block of a purchase.',
  'purchase.reissued': 'The code of a purchase was replaced. The old code is no longer valid.',
  'purchase.support_ending': 'The support of an active purchase ends within seven days.',
  'activation.created': 'A host or machine activated a purchase and occupies a seat.',
  'activation.released': 'A host or machine released its seat, or the seller released it.',
  'activation.refused':
    'A host or machine got no seat because of a limit. ' +
    'Sent at most once a day for each host, and for at most 100 hosts of a purchase within 30 days.',
  'pool.low_stock':
    'A draw left fewer free codes in a pool than its threshold. Sent once until codes are added.',
  'key.rotated': 'An API key was replaced by a new one.',
} as const;

export type EventType = keyof typeof eventTypes;

export const webhookTables: WebhookTables = {
  tenantColumn: 'workspace_id',
  streams: [createOutboxStream('workspace_id', Object.keys(eventTypes))],
};

export type NewEvent = OutboxEvent & { readonly type: EventType };

/** Records events. Call this function last in the transaction that makes the change. */
export const recordEvent = (tx: Tx, workspaceId: bigint, ...events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, 'workspace_id', { tenant: workspaceId, events });
