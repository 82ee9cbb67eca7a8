// A package's journal in its own order, page by page, with each row's hash and note.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Movement } from './rules/movement.ts';
import { fromJournalRow, type JournalRow } from './store/ledger-store.ts';
import { journalFields } from './store/write-statement.ts';

export interface JournalPageRow {
  readonly movement: Movement;
  readonly hash: Buffer;
  readonly note: string | undefined;
}

export async function listJournalPage(
  db: Queryable,
  wanted: { packageId: number; after: bigint; limit: number },
): Promise<JournalPageRow[]> {
  const { rows } = await db.query<JournalRow & { note: string | null }>({
    name: 'list_journal_page',
    text: `select ${journalFields}, (select note from journal_notes n
             where n.package_id = $1 and n.sequence = found.sequence) as note
           from (select * from journal where package_id = $1 and sequence > $2
                 order by sequence limit $3) as found
           order by sequence`,
    values: [wanted.packageId, wanted.after, wanted.limit],
  });
  return rows.map((row) => ({
    movement: fromJournalRow(row),
    hash: row.hash,
    note: row.note ?? undefined,
  }));
}
