// A page of the journal that fits a filter, newest first; the work for one page is bounded.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { FeedEntry } from '../feed/feed-line.ts';
import { nameEntries } from '../feed/list-feed.ts';
import { findLastSequence, listJournalRows } from '../ledger/queries.ts';
import { isUnbroken, type JournalFilter } from './journal-filter.ts';
import { scanJournal } from './store.ts';

/** A page may be short, or even empty, and still have another behind it. */
const maxLooked = 5000;

const endOfTime = 2n ** 62n;

export interface JournalPage {
  readonly entries: readonly FeedEntry[];
  readonly next: bigint | undefined;
}

/** Where reading back begins: at the player's newest movement, or at the end of the range. */
export async function findStart(db: Queryable, filter: JournalFilter): Promise<bigint> {
  const { packageId, account, last } = filter;
  return account === undefined
    ? (last ?? endOfTime)
    : await findLastSequence(db, packageId, account);
}

/** Where every row that is looked at is one to show, a page need not look at more than it holds. */
const fitsAll = (filter: JournalFilter): boolean =>
  isUnbroken(filter) && (filter.account === undefined || filter.last === undefined);

export async function exploreJournal(
  db: Queryable,
  filter: JournalFilter,
  page: { start: bigint | undefined; limit: number },
): Promise<JournalPage> {
  const { packageId } = filter;
  const start = page.start ?? (await findStart(db, filter));
  const { limit } = page;
  const rows = fitsAll(filter) ? limit : maxLooked;
  const found = await scanJournal(db, filter, { start, rows, limit });
  const shown = await listJournalRows(db, packageId, found.sequences);
  return { entries: await nameEntries(db, packageId, shown), next: found.next };
}
