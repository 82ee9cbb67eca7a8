// Reads key pairs.

import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { KeyPurpose } from '../customer-package.ts';
import type { ListedPair } from './key-pair.ts';

const fields = 'id, purpose, api_key, created_at, expires_at, revoked_at, last_used_at';

/** SQL that joins key pairs and their last use. The first parameter of the statement must be the package. */
const pairsWithUses = `package_keys left join package_key_uses as used
  on used.package_id = $1 and used.key_id = package_keys.id`;

/**
 * The maximum number of pairs that `listKeyPairs` returns. This is enough for all live pairs and the most
 * recently ended pairs. Older pairs are only in the audit log.
 */
const maxListed = 100;

/** Lists the key pairs of a package, newest first. */
export const listKeyPairs = (db: Queryable, packageId: number) =>
  queryRows<ListedPair>(
    db,
    `select ${fields} from ${pairsWithUses}
     where package_keys.package_id = $1 order by id desc limit $2`,
    [packageId, maxListed],
  );

export const findKeyPair = (db: Queryable, key: { packageId: number; id: bigint }) =>
  queryRow<ListedPair & { secretSealed: Buffer | undefined }>(
    db,
    `select ${fields}, secret_sealed from ${pairsWithUses}
     where package_keys.package_id = $1 and id = $2`,
    [key.packageId, key.id],
  );

/** The pair that the upstream uses: the newest live callback pair. */
export const findNewestCallbackPair = (db: Queryable, wanted: { packageId: number; at: Date }) =>
  queryRow<{ apiKey: string; secretSealed: Buffer }>(
    db,
    `select api_key, secret_sealed from package_keys
     where package_id = $1 and purpose = 'callback' and revoked_at is null
       and (expires_at is null or expires_at > $2)
     order by id desc limit 1`,
    [wanted.packageId, wanted.at],
  );

export async function countLivePairs(
  tx: Tx,
  wanted: { packageId: number; purpose: KeyPurpose; at: Date },
): Promise<number> {
  const { rows } = await tx.query<{ live: number }>(
    `select count(*)::int as live from package_keys
     where package_id = $1 and purpose = $2 and revoked_at is null
       and (expires_at is null or expires_at > $3)`,
    [wanted.packageId, wanted.purpose, wanted.at],
  );
  return rows[0]?.live ?? 0;
}
