// Reads every attempt with a transaction id: attempts of update_balance, of callbacks and of provider
// connections.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedCallbackLine } from '../callbacks/callback-log.ts';
import { selectCallbackLines } from '../callbacks/queries.ts';
import { hashesOf } from '../callbacks/to-command.ts';
import type { ListedCall } from '../connections/calls/call-line.ts';
import type { NamedConnection } from '../connections/connection.ts';
import { fail } from '../errors.ts';
import { listMovementsByHash } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { hashId } from '../ledger/rules/ids.ts';
import { getSubject, type Movement } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import type { ListedAttempt } from '../transactions/attempt.ts';
import { listAttempts } from '../transactions/queries.ts';
import { findTransactions } from './find-transactions.ts';

/** The maximum number of lines that are read from each log, newest first. */
const maxLines = 100;

interface InspectedMovement {
  readonly movement: Movement;
  /** The connection is undefined for movements of update_balance and of callbacks. */
  readonly connection: NamedConnection | undefined;
}

export interface InspectedTransaction {
  readonly transactionId: string;
  readonly movements: readonly InspectedMovement[];
  readonly lines: readonly ListedCallbackLine[];
  readonly attempts: readonly ListedAttempt[];
  readonly calls: readonly ListedCall[];
  readonly connections: readonly NamedConnection[];
  readonly players: ReadonlyMap<bigint, string>;
  /** The round ids of the movements, by the hash of the round id. */
  readonly rounds: ReadonlyMap<string, string>;
}

export async function inspectTransaction(
  db: Queryable,
  wanted: { packageId: number; transactionId: string },
): Promise<InspectedTransaction> {
  const { packageId, transactionId } = wanted;
  const hashes = [hashId('caller', transactionId), ...hashesOf(transactionId)];
  const own = await listMovementsByHash(db, packageId, hashes);
  const lines = await selectCallbackLines(db, { packageId, transactionId, limit: maxLines });
  const attempts = await listAttempts(db, { packageId, transactionId, limit: maxLines });
  const provider = await findTransactions(db, { packageId, transactionId, limit: maxLines });
  const { calls, connections } = provider;
  const movements = [
    ...own.map((movement) => ({ movement, connection: undefined })),
    ...provider.movements,
  ].sort((a, b) => (a.movement.sequence < b.movement.sequence ? -1 : 1));
  const isKnown = movements.length + lines.length + attempts.length + calls.length > 0;
  if (!isKnown) throw fail('transaction_not_found');
  const plain = movements.map(({ movement }) => movement);
  const accounts = plain.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  const rounds = await nameRounds(db, packageId, plain);
  return { transactionId, movements, lines, attempts, calls, connections, players, rounds };
}
