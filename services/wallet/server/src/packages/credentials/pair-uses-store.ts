// Rows of `package_key_uses`.
import type { Tx } from '@counterfoil/kit/postgres/db';

export interface PairUse {
  readonly packageId: number;
  readonly pairId: bigint;
  readonly at: Date;
}

/** The latest use wins. In one order, so that two processes never wait for each other in a circle. */
export async function upsertPairUses(tx: Tx, uses: readonly PairUse[]): Promise<void> {
  await tx.query({
    name: 'upsert_pair_uses',
    text: `insert into package_key_uses as known (package_id, key_id, last_used_at)
           select * from unnest($1::int[], $2::bigint[], $3::timestamptz[]) as used (p, k, at)
           order by p, k
           on conflict (package_id, key_id) do update set last_used_at = excluded.last_used_at
             where known.last_used_at < excluded.last_used_at`,
    values: [
      uses.map((use) => use.packageId),
      uses.map((use) => use.pairId),
      uses.map((use) => use.at),
    ],
  });
}
