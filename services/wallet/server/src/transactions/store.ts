// Writes rows of `transfer_log`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { listLogValues, logArrays, logColumns } from '../logs/log-line.ts';
import type { MergedAttempt } from './attempt.ts';

export async function insertAttempts(tx: Tx, lines: readonly MergedAttempt[]): Promise<void> {
  await tx.query({
    name: 'insert_transfer_attempts',
    text: `insert into transfer_log (${logColumns}, type)
           select * from unnest(${logArrays}, $12::text[])`,
    values: [...listLogValues(lines), lines.map((line) => line.type)],
  });
}
