// Reads of the journal: one movement by its id, and statements that follow the links between rows.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { Movement } from '../rules/movement.ts';
import { fromJournalRow, type JournalRow } from './ledger-store.ts';
import { journalFields } from './write-statement.ts';

export interface NotedMovement {
  readonly movement: Movement;
  readonly note: string;
}

type NotedRow = JournalRow & { note: string | null };

const fromNotedRow = (row: NotedRow): NotedMovement => ({
  movement: fromJournalRow(row),
  note: row.note ?? '',
});

/** The first parameter of both statements is the package. */
const noteOf = `(select note from journal_notes n
  where n.package_id = $1 and n.sequence = found.sequence) as note`;

export async function selectMovementById(
  db: Queryable,
  packageId: number,
  idHash: string,
): Promise<NotedMovement | undefined> {
  const { rows } = await db.query<NotedRow>({
    name: 'select_movement_by_id',
    text: `select ${journalFields}, ${noteOf}
           from (select * from journal where package_id = $1 and id_hash = $2::uuid) as found`,
    values: [packageId, idHash],
  });
  return rows[0] && fromNotedRow(rows[0]);
}

/** Newest first, from `sequence` back, by the links that the player's rows hold. */
export async function selectStatement(
  db: Queryable,
  wanted: { packageId: number; sequence: bigint; limit: number },
): Promise<NotedMovement[]> {
  const { rows } = await db.query<NotedRow>({
    name: 'select_statement',
    text: `with recursive links as (
             select sequence, previous_sequence, 1 as place from journal
             where package_id = $1 and sequence = $2
             union all
             select j.sequence, j.previous_sequence, l.place + 1
             from links l join journal j on j.package_id = $1 and j.sequence = l.previous_sequence
             where l.place < $3)
           select ${journalFields}, ${noteOf}
           from (select j.* from links l join journal j on j.package_id = $1
                   and j.sequence = l.sequence) as found
           order by sequence desc`,
    values: [wanted.packageId, wanted.sequence, wanted.limit],
  });
  return rows.map(fromNotedRow);
}

export async function selectLastSequence(
  db: Queryable,
  packageId: number,
  account: bigint,
): Promise<bigint> {
  const { rows } = await db.query<{ last_sequence: bigint }>({
    name: 'select_last_sequence',
    text: 'select last_sequence from accounts where package_id = $1 and id = $2',
    values: [packageId, account],
  });
  return rows[0]?.last_sequence ?? 0n;
}

/** Follows the player's links through the journal and deletes the notes on the way. */
export async function deleteNotes(
  tx: Tx,
  wanted: { packageId: number; account: bigint },
): Promise<void> {
  await tx.query(
    `with recursive links as (
       select last_sequence as sequence from accounts where package_id = $1 and id = $2
       union all
       select j.previous_sequence from links l
       join journal j on j.package_id = $1 and j.sequence = l.sequence)
     delete from journal_notes n using links l
     where n.package_id = $1 and n.sequence = l.sequence`,
    [wanted.packageId, wanted.account],
  );
}
