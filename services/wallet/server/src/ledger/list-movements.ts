// A player's statement, newest first, page by page.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type NotedMovement, selectLastSequence, selectStatement } from './store/journal-store.ts';

export interface StatementPage {
  readonly movements: NotedMovement[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: bigint | undefined;
}

/**
 * The start of a page belongs to the player only if it came from an earlier page: a row that is not
 * the player's own ends the statement at once.
 */
export async function listMovements(
  db: Queryable,
  wanted: { packageId: number; account: bigint; from: bigint | undefined; limit: number },
): Promise<StatementPage> {
  const { packageId, account, limit } = wanted;
  const sequence = wanted.from ?? (await selectLastSequence(db, packageId, account));
  if (sequence === 0n) return { movements: [], next: undefined };
  const movements = await selectStatement(db, { packageId, sequence, limit });
  const first = movements[0]?.movement;
  const isOwn = first?.debitAccount === account || first?.creditAccount === account;
  if (!isOwn) return { movements: [], next: undefined };
  const previous = movements.at(-1)?.movement.previousSequence ?? 0n;
  return { movements, next: previous === 0n ? undefined : previous };
}
