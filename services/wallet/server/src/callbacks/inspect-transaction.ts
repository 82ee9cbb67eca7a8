// Every attempt of a transaction id, over both spaces: a caller's own ids and the provider's.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { listMovementsByHash } from '../ledger/queries.ts';
import { hashId } from '../ledger/rules/ids.ts';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/name-accounts.ts';
import { listAttempts } from '../transactions/list-attempts.ts';
import type { ListedAttempt } from '../transactions/transfer-attempt.ts';
import type { ListedCallbackLine } from './callback-line.ts';
import { selectCallbackLines } from './store.ts';
import { hashesOf } from './to-command.ts';

/** Of each space, the newest. */
const maxLines = 100;

export interface InspectedTransaction {
  readonly transactionId: string;
  readonly movements: readonly Movement[];
  readonly lines: readonly ListedCallbackLine[];
  readonly attempts: readonly ListedAttempt[];
  readonly players: ReadonlyMap<bigint, string>;
}

export async function inspectTransaction(
  db: Queryable,
  wanted: { packageId: number; transactionId: string },
): Promise<InspectedTransaction> {
  const { packageId, transactionId } = wanted;
  const hashes = [hashId('caller', transactionId), ...hashesOf(transactionId)];
  const movements = await listMovementsByHash(db, packageId, hashes);
  const lines = await selectCallbackLines(db, {
    packageId,
    transactionId,
    playerId: undefined,
    code: undefined,
    before: undefined,
    limit: maxLines,
  });
  const attempts = await listAttempts(db, { packageId, transactionId, limit: maxLines });
  const isKnown = movements.length + lines.length + attempts.length > 0;
  if (!isKnown) throw fail('transaction_not_found');
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  return { transactionId, movements, lines, attempts, players };
}
