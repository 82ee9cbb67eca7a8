// Rows of a package's journal by their sequences, newest first, with each row's hash and note.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { JournalPageRow } from './list-journal.ts';
import { fromJournalRow, type JournalRow } from './store/ledger-store.ts';
import { journalFields } from './store/write-statement.ts';

export async function listJournalRows(
  db: Queryable,
  packageId: number,
  sequences: readonly bigint[],
): Promise<JournalPageRow[]> {
  if (sequences.length === 0) return [];
  const { rows } = await db.query<JournalRow & { note: string | null }>({
    name: 'list_journal_rows',
    text: `select ${journalFields}, (select note from journal_notes n
             where n.package_id = $1 and n.sequence = found.sequence) as note
           from (select * from journal
                 where package_id = $1 and sequence = any ($2::bigint[])) as found
           order by sequence desc`,
    values: [packageId, sequences],
  });
  return rows.map((row) => ({
    movement: fromJournalRow(row),
    hash: row.hash,
    note: row.note ?? undefined,
  }));
}
