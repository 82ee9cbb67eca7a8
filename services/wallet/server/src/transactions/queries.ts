// Reads rows of `transfer_log`.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/from-row';
import type { ListedAttempt } from './attempt.ts';

/** Attempts under one transaction id that are not in the journal, newest first. */
export async function listAttempts(
  db: Queryable,
  wanted: { packageId: number; transactionId: string; limit: number },
): Promise<ListedAttempt[]> {
  const { rows } = await db.query(
    `select * from transfer_log where package_id = $1 and transaction_id = $2
     order by at desc, id desc limit $3`,
    [wanted.packageId, wanted.transactionId, wanted.limit],
  );
  return rows.map(fromRow<ListedAttempt>);
}
