// Writes rows of `callback_log`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { listLogValues, logArrays, logColumns } from '../logs/log-line.ts';
import type { MergedLine } from './callback-log.ts';

export async function insertCallbackLines(tx: Tx, lines: readonly MergedLine[]): Promise<void> {
  await tx.query({
    name: 'insert_callback_lines',
    text: `insert into callback_log (${logColumns}, action, round_id)
           select * from unnest(${logArrays}, $12::text[], $13::text[])`,
    values: [...listLogValues(lines), lines.map((line) => line.action), lines.map((line) => line.roundId)],
  });
}
