// Writes rows of `package_keys` and `package_key_uses`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { KeyPair, KeyPurpose } from '../customer-package.ts';

export async function insertPairRow(
  tx: Tx,
  row: Pick<KeyPair, 'purpose' | 'apiKey' | 'secretHash'> & {
    packageId: number;
    secretSealed: Buffer | undefined;
    at: Date;
  },
): Promise<bigint> {
  const { packageId, purpose, apiKey, secretHash, secretSealed, at } = row;
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into package_keys (package_id, purpose, api_key, secret_hash, secret_sealed, created_at)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [packageId, purpose, apiKey, secretHash, secretSealed ?? null, at],
  );
  if (!rows[0]) throw new Error('an insert returned no row');
  return rows[0].id;
}

/** Sets the end of all live pairs of a purpose. A pair that ends earlier anyway is not changed. */
export async function retirePairs(
  tx: Tx,
  wanted: { packageId: number; purpose: KeyPurpose; until: Date; revokedAt: Date | undefined },
): Promise<void> {
  await tx.query(
    `update package_keys set expires_at = $3, revoked_at = $4
     where package_id = $1 and purpose = $2 and revoked_at is null
       and (expires_at is null or expires_at > $3)`,
    [wanted.packageId, wanted.purpose, wanted.until, wanted.revokedAt ?? null],
  );
}

export async function savePairRevoked(
  tx: Tx,
  key: { packageId: number; id: bigint; at: Date },
): Promise<void> {
  await tx.query('update package_keys set revoked_at = $3 where package_id = $1 and id = $2', [
    key.packageId,
    key.id,
    key.at,
  ]);
}

export interface PairUse {
  readonly packageId: number;
  readonly pairId: bigint;
  readonly at: Date;
}

/**
 * Stores the latest use of each pair. Rows are written in a fixed order, so that two processes never
 * deadlock.
 */
export async function upsertPairUses(tx: Tx, uses: readonly PairUse[]): Promise<void> {
  await tx.query({
    name: 'upsert_pair_uses',
    text: `insert into package_key_uses as known (package_id, key_id, last_used_at)
           select * from unnest($1::int[], $2::bigint[], $3::timestamptz[]) as used (p, k, at)
           order by p, k
           on conflict (package_id, key_id) do update set last_used_at = excluded.last_used_at
             where known.last_used_at < excluded.last_used_at`,
    values: [uses.map((use) => use.packageId), uses.map((use) => use.pairId), uses.map((use) => use.at)],
  });
}
