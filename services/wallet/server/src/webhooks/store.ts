// Reads and writes `credit_watches`. A row has the sequence up to which the credit of a package was read, and
// the alert level at that sequence.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';

export interface CreditWatch {
  readonly packageId: number;
  readonly sequence: bigint;
  readonly credit: bigint;
  readonly level: string | undefined;
}

/** The packages that have both a row in `credit_watches` and an endpoint. */
export async function selectWatched(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ package_id: number }>(
    `select w.package_id from credit_watches w where exists
       (select from webhook_endpoints e where e.package_id = w.package_id)`,
  );
  return rows.map((row) => row.package_id);
}

export async function hasEndpoint(db: Queryable, packageId: number): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from webhook_endpoints where package_id = $1 limit 1', [
    packageId,
  ]);
  return rowCount === 1;
}

/**
 * Locks the row that stores the last checked credit of a package. Returns undefined if another process has
 * locked the row, or if the package has no row.
 */
export const lockWatch = (tx: Tx, packageId: number) =>
  queryRow<CreditWatch>(
    tx,
    `select package_id, sequence, credit, level from credit_watches where package_id = $1
     for update skip locked`,
    [packageId],
  );

export async function saveWatch(tx: Tx, watch: CreditWatch): Promise<void> {
  await tx.query(
    `insert into credit_watches (package_id, sequence, credit, level) values ($1, $2, $3, $4)
     on conflict (package_id) do update
     set sequence = excluded.sequence, credit = excluded.credit, level = excluded.level`,
    [watch.packageId, watch.sequence, watch.credit, watch.level ?? null],
  );
}
