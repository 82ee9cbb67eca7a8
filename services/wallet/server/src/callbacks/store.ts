// Rows of `callback_log`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fromLogRow, type LogRow, listLogValues, logArrays, logColumns } from '../logs/log-line.ts';
import type { FoldedLine, ListedCallbackLine } from './callback-line.ts';

export async function insertCallbackLines(tx: Tx, lines: readonly FoldedLine[]): Promise<void> {
  await tx.query({
    name: 'insert_callback_lines',
    text: `insert into callback_log (${logColumns}, action, round_id)
           select * from unnest(${logArrays}, $12::text[], $13::text[])`,
    values: [
      ...listLogValues(lines),
      lines.map((line) => line.action),
      lines.map((line) => line.roundId),
    ],
  });
}

interface Row extends LogRow {
  readonly action: string;
  readonly round_id: string;
}

const fromRow = (row: Row): ListedCallbackLine => ({
  ...fromLogRow(row),
  action: row.action,
  roundId: row.round_id,
});

export interface WantedLines {
  readonly packageId: number;
  readonly transactionId: string | undefined;
  readonly playerId: string | undefined;
  readonly code: string | undefined;
  readonly before: { readonly at: Date; readonly id: bigint } | undefined;
  readonly limit: number;
}

/** Newest first; written out per filter, so that each finds its index. */
export async function selectCallbackLines(
  db: Queryable,
  wanted: WantedLines,
): Promise<ListedCallbackLine[]> {
  const values: unknown[] = [wanted.packageId, wanted.limit];
  const conditions = ['package_id = $1'];
  const add = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add((place) => `transaction_id = ${place}`, wanted.transactionId);
  add((place) => `player_id = ${place}`, wanted.playerId);
  add((place) => `code = ${place}`, wanted.code);
  if (wanted.before) {
    values.push(wanted.before.at, wanted.before.id);
    conditions.push(`(at, id) < ($${values.length - 1}, $${values.length})`);
  }
  const { rows } = await db.query<Row>(
    `select * from callback_log where ${conditions.join(' and ')}
     order by at desc, id desc limit $2`,
    values,
  );
  return rows.map(fromRow);
}
