// Every attempt of a transaction id, over both spaces: a caller's own ids and the provider's.
import type { Queryable } from '@counterfoil/kit/db';
import { fail } from '../errors.ts';
import { listMovementsByHash } from '../ledger/find-movement.ts';
import { hashId } from '../ledger/ids.ts';
import { getSubject, type Movement } from '../ledger/movement.ts';
import { nameAccounts } from '../players/name-accounts.ts';
import type { ListedCallbackLine } from './callback-line.ts';
import { selectCallbackLines } from './store.ts';
import { hashesOf } from './to-command.ts';

/** The log's list, filtered by the id, has the rest. */
const maxLines = 100;

export interface InspectedTransaction {
  readonly transactionId: string;
  readonly movements: readonly Movement[];
  readonly lines: readonly ListedCallbackLine[];
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
  if (movements.length === 0 && lines.length === 0) throw fail('transaction_not_found');
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  return { transactionId, movements, lines, players };
}
