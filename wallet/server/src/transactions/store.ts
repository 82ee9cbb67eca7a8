// Rows of `transfer_log`.
import type { Queryable, Tx } from '@counterfoil/kit/db';
import type { FoldedAttempt, ListedAttempt } from './transfer-attempt.ts';

export async function insertAttempts(tx: Tx, lines: readonly FoldedAttempt[]): Promise<void> {
  await tx.query({
    name: 'insert_transfer_attempts',
    text: `insert into transfer_log (package_id, at, attempts, request_id, address, type,
             transaction_id, player_id, status, code, result, field)
           select * from unnest($1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[],
             $6::text[], $7::text[], $8::text[], $9::smallint[], $10::text[], $11::text[],
             $12::text[])`,
    values: [
      lines.map((line) => line.packageId),
      lines.map((line) => line.at.toISOString()),
      lines.map((line) => line.attempts),
      lines.map((line) => line.requestId),
      lines.map((line) => line.address),
      lines.map((line) => line.type),
      lines.map((line) => line.transactionId),
      lines.map((line) => line.playerId),
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
  type: string;
  transaction_id: string;
  player_id: string;
  status: number;
  code: string;
  result: string;
  field: string;
}

const fromRow = (row: Row): ListedAttempt => ({
  packageId: row.package_id,
  at: row.at,
  id: row.id,
  attempts: row.attempts,
  requestId: row.request_id,
  address: row.address,
  type: row.type,
  transactionId: row.transaction_id,
  playerId: row.player_id,
  status: row.status,
  code: row.code,
  result: row.result,
  field: row.field,
});

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
