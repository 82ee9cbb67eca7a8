// Reads and adds up the part of a journal that matches a filter; the work per page is bounded.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { nameEntries } from '../feed/list-feed.ts';
import { findMergeStart, listJournalRows, type MergePosition } from '../ledger/queries.ts';
import { changeOf, getSubject } from '../ledger/rules/movement.ts';
import { isUnbroken, type JournalFilter } from './journal-filter.ts';
import { scanJournal, sumJournal } from './queries.ts';

/**
 * The maximum number of rows that one page reads. A page may therefore be short or empty although another
 * page follows.
 */
const maxLooked = 5000;

const endOfTime = 2n ** 62n;

/**
 * Finds the position at which reading backwards starts: the newest movement of the player, or the end of the
 * range.
 */
async function findStart(db: Queryable, filter: JournalFilter): Promise<MergePosition> {
  const { packageId, accounts, last } = filter;
  return accounts ? await findMergeStart(db, packageId, accounts) : { next: last ?? endOfTime, other: 0n };
}

/**
 * Whether every row that a page reads matches the filter. If true, the page reads only the rows that it
 * shows.
 */
const fitsAll = (filter: JournalFilter): boolean =>
  isUnbroken(filter) && (filter.accounts === undefined || filter.last === undefined);

export async function exploreJournal(
  db: Queryable,
  filter: JournalFilter,
  page: { start: MergePosition | undefined; limit: number },
) {
  const { packageId } = filter;
  const { limit } = page;
  const start = page.start ?? (await findStart(db, filter));
  const rows = fitsAll(filter) ? limit : maxLooked;
  const found = await scanJournal(db, filter, { start, rows, limit });
  const shown = await listJournalRows(db, packageId, found.sequences);
  return { entries: await nameEntries(db, packageId, shown), next: found.next };
}

/**
 * The maximum number of rows that are added up. Adding them up takes about one second. For more rows, the
 * caller must narrow the time range.
 */
const maxSummed = 200_000;

export async function addUpJournal(db: Queryable, filter: JournalFilter) {
  const start = await findStart(db, filter);
  const found = await sumJournal(db, filter, { start, rows: maxSummed });
  const { oldest, newest } = found;
  const ends = [oldest, newest].flatMap((each) => each ?? []);
  // Cash and promo money have separate balances. So a balance is shown only if all rows belong to one
  // account.
  const isStretch = filter.accounts !== undefined && isUnbroken(filter) && found.accounts === 1;
  return {
    sums: found.sums,
    /**
     * The opening and closing balance of the player's account. Undefined if the filter names no player or
     * leaves out movements of the account, or if the rows belong to both accounts of the player or to none.
     */
    stretch: isStretch ? await findStretch(db, filter.packageId, ends) : undefined,
    complete: found.looked < maxSummed,
  };
}

async function findStretch(db: Queryable, packageId: number, ends: bigint[]) {
  const rows = await listJournalRows(db, packageId, ends);
  const [newest, oldest] = [rows[0]?.movement, rows.at(-1)?.movement];
  if (!newest || !oldest) return undefined;
  const { account, balance } = getSubject(oldest);
  return { opening: balance - changeOf(oldest, account), closing: getSubject(newest).balance };
}
