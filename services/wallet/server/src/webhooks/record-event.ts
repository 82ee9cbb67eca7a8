// Writes events in the transaction of what they tell of, as the last thing that it does.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type OutboxEvent, recordEvents } from '@counterfoil/webhooks/outbox/outbox';
import type { stateTypes } from './event-types.ts';

export type NewEvent = OutboxEvent & { readonly type: keyof typeof stateTypes };

export const recordEvent = (
  tx: Tx,
  packageId: number,
  ...events: readonly NewEvent[]
): Promise<void> => recordEvents(tx, 'package_id', { tenant: BigInt(packageId), events });
