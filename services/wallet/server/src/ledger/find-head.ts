// The newest number of a package's journal; 0 where nothing was written.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export async function findHead(db: Queryable, packageId: number): Promise<bigint> {
  const { rows } = await db.query<{ sequence: bigint }>(
    'select sequence from ledger_heads where package_id = $1',
    [packageId],
  );
  return rows[0]?.sequence ?? 0n;
}
