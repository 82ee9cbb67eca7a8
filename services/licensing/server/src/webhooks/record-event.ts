// Writes events in the transaction of what they tell of, as the last thing that it does.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type OutboxEvent, recordEvents } from '@counterfoil/webhooks/outbox/outbox';
import type { EventType } from './event-types.ts';

export type NewEvent = OutboxEvent & { readonly type: EventType };

export const recordEvent = (
  tx: Tx,
  workspaceId: bigint,
  ...events: readonly NewEvent[]
): Promise<void> => recordEvents(tx, 'workspace_id', { tenant: workspaceId, events });
