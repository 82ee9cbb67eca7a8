// Writes webhook events about a package in the transaction of the change that they report.

import type { Tx } from '@counterfoil/kit/postgres/db';
import { type OutboxEvent, recordEvents } from '@counterfoil/webhooks/outbox/outbox';

export const stateTypes = {
  'credit.low': "The package's credit is at or below the alert threshold.",
  'credit.critical': "The package's credit is at most a quarter of the threshold.",
  'credit.exhausted': 'The credit and the overdraft are used up. Players cannot be credited.',
  'credit.restored': "The package's credit is above the threshold again.",
  'package.suspended': 'The package was suspended. Bets, launches and transfers are refused.',
  'package.resumed': 'The suspension of the package ended.',
} as const;

export type NewEvent = OutboxEvent & { readonly type: keyof typeof stateTypes };

export const recordEvent = (tx: Tx, packageId: number, ...events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, 'package_id', { tenant: BigInt(packageId), events });
