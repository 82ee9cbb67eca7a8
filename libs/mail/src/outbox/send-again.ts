// Sends a dead letter again.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { findMail } from './queries.ts';
import { saveSendAgain } from './store.ts';

interface Result {
  readonly result: 'queued' | 'missing' | 'expired';
  /** The tenant of the message; absent if the message is missing. */
  readonly tenantId?: bigint;
}

/**
 * Makes a dead letter due at once. The message then gets as many attempts as a new message. The result is
 * `missing` if there is no dead letter with this id, and `expired` if the link in the message no longer
 * works.
 */
export async function sendAgain(
  tx: Tx,
  wanted: { tenantId: bigint | undefined; id: bigint; at: Date },
): Promise<Result> {
  const found = await findMail(tx, wanted);
  if (found?.state !== 'failed') return { result: 'missing' };
  const { tenantId, id, expiresAt } = found;
  if (expiresAt && expiresAt <= wanted.at) return { result: 'expired', tenantId };
  const isSaved = await saveSendAgain(tx, { tenantId, id, at: wanted.at });
  return isSaved ? { result: 'queued', tenantId } : { result: 'missing' };
}
