// Reads the journal page by page into CSV, so that an export of any length takes the same memory.
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { findFirstSequence } from '../proof/find-day.ts';
import { exploreJournal } from './explore-journal.ts';
import type { JournalFilter } from './journal-filter.ts';
import { csvHead, writeCsvLine } from './write-csv.ts';

const maxRows = 1_000_000n;
const pageSize = 1000;

/** What is exported is known beforehand: too much is refused rather than cut off in silence. */
export async function checkExport(db: Db, filter: JournalFilter, now: Date): Promise<void> {
  if (filter.account !== undefined) return;
  const end = filter.last ?? (await findFirstSequence(db, filter.packageId, now));
  const rows = end - filter.first + 1n;
  if (rows <= maxRows) return;
  const sentence = `is needed: ${rows} movements are more than ${maxRows} at once.`;
  throw fail('invalid_parameter', { errors: { from: [sentence] } });
}

export async function* exportCsv(
  db: Db,
  filter: JournalFilter,
  currency: string,
): AsyncGenerator<string> {
  yield csvHead;
  let start: bigint | undefined;
  do {
    const page = await exploreJournal(db, filter, { start, limit: pageSize });
    if (page.entries.length > 0) {
      yield page.entries.map((entry) => writeCsvLine(entry, currency)).join('');
    }
    start = page.next;
  } while (start !== undefined);
}
