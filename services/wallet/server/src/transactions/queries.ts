// Reads statements, and rows of `transfer_log`.

import type { Unit } from '@counterfoil/kit/money';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import { nameConnections } from '../connections/name-connections.ts';
import { listMovements } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { formatCursor } from '../wire/paging.ts';
import type { ListedAttempt } from './attempt.ts';
import { presentStatementLine } from './transaction.ts';

/** Attempts under one transaction id that are not in the journal, newest first. */
export async function listAttempts(
  db: Queryable,
  wanted: { packageId: number; transactionId: string; limit: number },
): Promise<ListedAttempt[]> {
  const { rows } = await db.query(
    `select * from transfer_log where package_id = $1 and transaction_id = $2
     order by at desc, id desc limit $3`,
    [wanted.packageId, wanted.transactionId, wanted.limit],
  );
  return rows.map(fromRow<ListedAttempt>);
}

/** A page of a player's statement, newest first, as answers show it. */
export async function listStatement(
  db: Queryable,
  wanted: Parameters<typeof listMovements>[1] & { unit: Unit },
) {
  const { movements, next } = await listMovements(db, wanted);
  const plain = movements.map(({ movement }) => movement);
  const rounds = await nameRounds(db, wanted.packageId, plain);
  const connections = await nameConnections(db, wanted.packageId, plain, rounds);
  return {
    transactions: movements.map((each) => presentStatementLine(each, wanted.unit, { rounds, connections })),
    next_cursor: formatCursor('statement', next),
  };
}
