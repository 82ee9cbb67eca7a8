// A package's movements in the order of its journal, from behind a sequence on.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type JournalPageRow, listJournalPage } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { getSubject } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import type { FeedEntry } from './feed-line.ts';

/**
 * Without gaps, even while others write: whoever writes holds the package's head to the end, so a row
 * is never seen before the one in front of it.
 */
export async function listFeed(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<FeedEntry[]> {
  return nameEntries(db, wanted.packageId, await listJournalPage(db, wanted));
}

/** With the names that callers and providers know players and rounds by. */
export async function nameEntries(
  db: Queryable,
  packageId: number,
  rows: readonly JournalPageRow[],
): Promise<FeedEntry[]> {
  const movements = rows.map((row) => row.movement);
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  const rounds = await nameRounds(db, packageId, movements);
  return rows.map((row) => ({
    ...row,
    playerId: players.get(getSubject(row.movement).account),
    roundId: rounds.get(row.movement.roundHash ?? ''),
  }));
}
