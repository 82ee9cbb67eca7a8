// An attempt of update_balance that the journal does not hold: a repeat, a conflict, an open refusal.
import { ServiceError } from '@counterfoil/kit/http/errors';
import { isPrintable } from '@counterfoil/kit/http/text';
import type { Folded, Listed, LogLine } from '../logs/log-line.ts';

export interface TransferAttempt extends LogLine {
  readonly type: string;
}

export type FoldedAttempt = TransferAttempt & Folded;
export type ListedAttempt = TransferAttempt & Listed;

/** What a refusal tells: whether it is a repeated one, and the field that it is about. */
export function readRefusal(error: unknown): { duplicate: boolean; field: string } {
  const details = error instanceof ServiceError ? error.details : {};
  const [field = ''] = Object.keys(details.errors ?? {});
  return { duplicate: details.data?.duplicate === true, field };
}

const finalCodes = ['insufficient_funds', 'package_credit_exhausted', 'balance_limit'];

/** A first answer and a refusal that is final stand in the journal. */
export const isInJournal = (given: { status: number; code: string; duplicate: boolean }): boolean =>
  !given.duplicate && (given.status === 200 || finalCodes.includes(given.code));

/** Of a body that was refused as it came; undefined where it named no id that can be looked for. */
export function readNames(
  body: unknown,
): Pick<TransferAttempt, 'transactionId' | 'playerId' | 'type'> | undefined {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const read = (value: unknown, most: number) =>
    typeof value === 'string' && value.length <= most && isPrintable(value) ? value : '';
  const transactionId = read(fields.transaction_id, 256);
  if (transactionId === '') return undefined;
  return { transactionId, playerId: read(fields.player_id, 128), type: read(fields.type, 16) };
}

/** Equal attempts become one with a count. */
export function foldAttempts(attempts: readonly TransferAttempt[]): FoldedAttempt[] {
  const folded = new Map<string, FoldedAttempt>();
  for (const each of attempts) {
    const { packageId, transactionId, playerId, type, status, code, field, address } = each;
    const same = [packageId, transactionId, playerId, type, status, code, field, address];
    const key = JSON.stringify(same);
    const known = folded.get(key);
    if (known) known.attempts++;
    else folded.set(key, { ...each, attempts: 1 });
  }
  return [...folded.values()];
}
