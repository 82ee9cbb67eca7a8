// Rows of `callback_log`.
import type { Queryable, Tx } from '@counterfoil/kit/db';
import type { FoldedLine } from './callback-buffer.ts';
import type { ListedCallbackLine } from './callback-line.ts';

export async function insertCallbackLines(tx: Tx, lines: readonly FoldedLine[]): Promise<void> {
  await tx.query({
    name: 'insert_callback_lines',
    text: `insert into callback_log (package_id, at, attempts, request_id, address, action,
             transaction_id, player_id, round_id, status, code, result, field)
           select * from unnest($1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[],
             $6::text[], $7::text[], $8::text[], $9::text[], $10::smallint[], $11::text[],
             $12::text[], $13::text[])`,
    values: [
      lines.map((line) => line.packageId),
      lines.map((line) => line.at.toISOString()),
      lines.map((line) => line.attempts),
      lines.map((line) => line.requestId),
      lines.map((line) => line.address),
      lines.map((line) => line.action),
      lines.map((line) => line.transactionId),
      lines.map((line) => line.playerId),
      lines.map((line) => line.roundId),
      lines.map((line) => line.status),
      lines.map((line) => line.code),
      lines.map((line) => line.result),
      lines.map((line) => line.field),
    ],
  });
}

interface Row {
  package_id: number;
  at: Date;
  id: bigint;
  attempts: number;
  request_id: string;
  address: string;
  action: string;
  transaction_id: string;
  player_id: string;
  round_id: string;
  status: number;
  code: string;
  result: string;
  field: string;
}

const fromRow = (row: Row): ListedCallbackLine => ({
  packageId: row.package_id,
  at: row.at,
  id: row.id,
  attempts: row.attempts,
  requestId: row.request_id,
  address: row.address,
  action: row.action,
  transactionId: row.transaction_id,
  playerId: row.player_id,
  roundId: row.round_id,
  status: row.status,
  code: row.code,
  result: row.result,
  field: row.field,
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
