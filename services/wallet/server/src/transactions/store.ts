// Rows of `transfer_log`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fromLogRow, type LogRow, listLogValues, logArrays, logColumns } from '../logs/log-line.ts';
import type { FoldedAttempt, ListedAttempt } from './transfer-attempt.ts';

export async function insertAttempts(tx: Tx, lines: readonly FoldedAttempt[]): Promise<void> {
  await tx.query({
    name: 'insert_transfer_attempts',
    text: `insert into transfer_log (${logColumns}, type)
           select * from unnest(${logArrays}, $12::text[])`,
    values: [...listLogValues(lines), lines.map((line) => line.type)],
  });
}

interface Row extends LogRow {
  readonly type: string;
}

const fromRow = (row: Row): ListedAttempt => ({ ...fromLogRow(row), type: row.type });

/** Newest first. */
export async function selectAttempts(
  db: Queryable,
  wanted: { packageId: number; transactionId: string; limit: number },
): Promise<ListedAttempt[]> {
  const { rows } = await db.query<Row>(
    `select * from transfer_log where package_id = $1 and transaction_id = $2
     order by at desc, id desc limit $3`,
    [wanted.packageId, wanted.transactionId, wanted.limit],
  );
  return rows.map(fromRow);
}
