// Reads key pairs.

import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { KeyPurpose } from '../customer-package.ts';
import type { ListedPair } from './key-pair.ts';

const fields = 'id, purpose, api_key, created_at, expires_at, revoked_at, last_used_at';

/** Parameter 1 is the package. */
const pairsWithUses = `package_keys left join package_key_uses as used
  on used.package_id = $1 and used.key_id = package_keys.id`;

/** Enough for all live pairs and the latest ended ones; the audit log names every pair. */
const maxListed = 100;

/** The newest first. */
export async function listKeyPairs(db: Queryable, packageId: number): Promise<ListedPair[]> {
  const { rows } = await db.query(
    `select ${fields} from ${pairsWithUses}
     where package_keys.package_id = $1 order by id desc limit $2`,
    [packageId, maxListed],
  );
  return rows.map(fromRow<ListedPair>);
}

export async function findKeyPair(
  db: Queryable,
  key: { packageId: number; id: bigint },
): Promise<(ListedPair & { secretSealed: Buffer | undefined }) | undefined> {
  const { rows } = await db.query(
    `select ${fields}, secret_sealed from ${pairsWithUses}
     where package_keys.package_id = $1 and id = $2`,
    [key.packageId, key.id],
  );
  return rows[0] && fromRow<ListedPair & { secretSealed: Buffer | undefined }>(rows[0]);
}

/** The pair that the upstream uses: the newest live one. */
export async function findNewestCallbackPair(
  db: Queryable,
  wanted: { packageId: number; at: Date },
): Promise<{ apiKey: string; secretSealed: Buffer } | undefined> {
  const { rows } = await db.query(
    `select api_key, secret_sealed from package_keys
     where package_id = $1 and purpose = 'callback' and revoked_at is null
       and (expires_at is null or expires_at > $2)
     order by id desc limit 1`,
    [wanted.packageId, wanted.at],
  );
  return rows[0] && fromRow<{ apiKey: string; secretSealed: Buffer }>(rows[0]);
}

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
