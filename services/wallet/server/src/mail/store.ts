// Reads and writes `credit_mails`: the alert level of each package at the last run of `mailCreditAlerts`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';

/** The stored alert level of each package. The level is null if the credit was above the threshold. */
export async function selectMailedLevels(db: Queryable): Promise<Map<number, string | null>> {
  const { rows } = await db.query<{ package_id: number; level: string | null }>(
    'select package_id, level from credit_mails',
  );
  return new Map(rows.map((row) => [row.package_id, row.level]));
}

/** Saves the level. Returns false if another process has saved the same level already. */
export async function saveMailedLevel(
  tx: Tx,
  packageId: number,
  level: string | undefined,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into credit_mails as m (package_id, level) values ($1, $2)
     on conflict (package_id) do update set level = excluded.level
     where m.level is distinct from excluded.level`,
    [packageId, level ?? null],
  );
  return rowCount === 1;
}
