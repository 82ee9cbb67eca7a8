// A package's movements in the order of its journal, from behind a sequence on.
import type { Queryable } from '@counterfoil/kit/db';
import { listJournalPage } from '../ledger/list-journal.ts';
import { getSubject } from '../ledger/movement.ts';
import { nameAccounts } from '../players/name-accounts.ts';
import type { FeedEntry } from './feed-line.ts';

/**
 * Without gaps, even while others write: whoever writes holds the package's head to the end, so a row
 * is never seen before the one in front of it.
 */
export async function listFeed(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<FeedEntry[]> {
  const rows = await listJournalPage(db, wanted);
  const accounts = rows.map((row) => getSubject(row.movement).account);
  const players = await nameAccounts(db, wanted.packageId, accounts);
  return rows.map((row) => ({ ...row, playerId: players.get(getSubject(row.movement).account) }));
}
