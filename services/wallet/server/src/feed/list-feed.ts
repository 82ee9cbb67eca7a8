// Lists the movements of a package in the order of its journal, after a given sequence.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { nameConnections } from '../connections/name-connections.ts';
import { type JournalEntry, listJournalPage } from '../ledger/queries.ts';
import { nameRounds } from '../ledger/round-queries.ts';
import { getSubject } from '../ledger/rules/movement.ts';
import { nameAccounts } from '../players/queries.ts';
import type { FeedEntry } from './feed-line.ts';

/**
 * Lists movements without gaps, even during writes. Each writer locks the head of the package until its
 * commit. So rows become visible in the order of their sequences.
 */
export async function listFeed(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<FeedEntry[]> {
  return nameEntries(db, wanted.packageId, await listJournalPage(db, wanted));
}

/**
 * Adds the connection of each entry, and the ids by which callers and providers know the player and the
 * round.
 */
export async function nameEntries(
  db: Queryable,
  packageId: number,
  rows: readonly JournalEntry[],
): Promise<FeedEntry[]> {
  const movements = rows.map((row) => row.movement);
  const accounts = movements.map((movement) => getSubject(movement).account);
  const players = await nameAccounts(db, packageId, accounts);
  const rounds = await nameRounds(db, packageId, movements);
  const connections = await nameConnections(db, packageId, movements, rounds);
  return rows.map((row) => ({
    ...row,
    playerId: players.get(getSubject(row.movement).account),
    roundId: rounds.get(row.movement.roundHash ?? ''),
    connection: connections.get(row.movement.sequence),
  }));
}
