// Reads of the journal's top-ups, by the index that holds nothing else.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { NotedMovement } from './journal-store.ts';
import { fromJournalRow, type JournalRow } from './ledger-store.ts';
import { journalFields } from './write-statement.ts';

/** The kinds are written out, not parameters: so the planner knows that the index holds them all. */
export async function selectTopUps(
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<NotedMovement[]> {
  const { rows } = await db.query<JournalRow & { note: string | null }>(
    `select ${journalFields}, (select note from journal_notes n
       where n.package_id = $1 and n.sequence = found.sequence) as note
     from (select * from journal
           where package_id = $1 and kind in (3, 4) and sequence < coalesce($2, 9223372036854775807)
           order by sequence desc limit $3) as found
     order by sequence desc`,
    [wanted.packageId, wanted.before ?? null, wanted.limit],
  );
  return rows.map((row) => ({ movement: fromJournalRow(row), note: row.note ?? '' }));
}
