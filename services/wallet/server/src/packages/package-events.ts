// Writes webhook events about a package in the transaction of the change that they report.

import type { Tx } from '@counterfoil/kit/postgres/db';
import { type OutboxEvent, recordEvents } from '@counterfoil/webhooks/outbox/outbox';

/** Each is written in the transaction of the change that it reports. */
export const stateTypes = {
  'credit.low': "The package's credit fell to its alert threshold, or came back to there.",
  'credit.critical': 'It is at a quarter of the threshold or less.',
  'credit.exhausted': 'It is used up with its overdraft: players cannot be credited.',
  'credit.restored': 'It is above the threshold again.',
  'package.suspended': 'The package was suspended: it gives out no money.',
  'package.resumed': 'The suspension was taken back.',
} as const;

export type NewEvent = OutboxEvent & { readonly type: keyof typeof stateTypes };

export const recordEvent = (
  tx: Tx,
  packageId: number,
  ...events: readonly NewEvent[]
): Promise<void> => recordEvents(tx, 'package_id', { tenant: BigInt(packageId), events });
