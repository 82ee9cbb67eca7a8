// Whether a caller's transaction landed, and what became of it.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hashId } from './rules/ids.ts';
import type { Movement } from './rules/movement.ts';
import { type NotedMovement, selectMovementById } from './store/journal-store.ts';
import { selectMovements } from './store/ledger-store.ts';

export const findCallerMovement = (
  db: Queryable,
  packageId: number,
  transactionId: string,
): Promise<NotedMovement | undefined> =>
  selectMovementById(db, packageId, hashId('caller', transactionId));

/** The movements under any of these names, in the order in which they were written. */
export async function listMovementsByHash(
  db: Queryable,
  packageId: number,
  hashes: readonly string[],
): Promise<Movement[]> {
  const found = await selectMovements(
    db,
    hashes.map((key) => ({ packageId, key })),
  );
  return found.sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
}
