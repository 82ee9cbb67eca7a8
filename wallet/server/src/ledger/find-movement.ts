// Whether a caller's transaction landed, and what became of it.
import type { Queryable } from '@counterfoil/kit/db';
import { hashId } from './ids.ts';
import { type NotedMovement, selectMovementById } from './journal-store.ts';

export const findCallerMovement = (
  db: Queryable,
  packageId: number,
  transactionId: string,
): Promise<NotedMovement | undefined> =>
  selectMovementById(db, packageId, hashId('caller', transactionId));
