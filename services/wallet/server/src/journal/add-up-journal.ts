// Adds up the part of a journal that fits a filter.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { listJournalRows } from '../ledger/queries.ts';
import { getSubject, type Movement, movesMoney } from '../ledger/rules/movement.ts';
import { findStart } from './explore-journal.ts';
import { isUnbroken, type JournalFilter } from './journal-filter.ts';
import type { JournalTotals } from './journal-totals.ts';
import { sumJournal } from './store.ts';

/** About a second of one connection; whoever wants more narrows the time. */
const maxLooked = 200_000;

export async function addUpJournal(db: Queryable, filter: JournalFilter): Promise<JournalTotals> {
  const start = await findStart(db, filter);
  const found = await sumJournal(db, filter, { start, rows: maxLooked });
  const { oldest, newest } = found;
  const ends = [oldest, newest].flatMap((each) => each ?? []);
  const isStretch = filter.account !== undefined && isUnbroken(filter) && ends.length > 0;
  return {
    sums: found.sums,
    stretch: isStretch ? await findStretch(db, filter.packageId, ends) : undefined,
    complete: found.looked < maxLooked,
  };
}

async function findStretch(db: Queryable, packageId: number, ends: bigint[]) {
  const rows = await listJournalRows(db, packageId, ends);
  const [newest, oldest] = [rows[0]?.movement, rows.at(-1)?.movement];
  if (!newest || !oldest) return undefined;
  return { opening: findBalanceBefore(oldest), closing: getSubject(newest).balance };
}

function findBalanceBefore(movement: Movement): bigint {
  const { account, balance } = getSubject(movement);
  const moved = movesMoney(movement.result) ? movement.amount : 0n;
  return movement.creditAccount === account ? balance - moved : balance + moved;
}
