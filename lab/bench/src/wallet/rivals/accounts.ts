// The players' account numbers, all in memory: no look-up is left to measure.
import type { Db } from '@counterfoil/kit/postgres/db';

export async function loadAccounts(db: Db, packageId: number): Promise<Map<string, bigint>> {
  const { rows } = await db.query<{ player_id: string; account_id: bigint }>(
    'select player_id, account_id from players where package_id = $1',
    [packageId],
  );
  return new Map(rows.map((row) => [row.player_id, row.account_id]));
}
