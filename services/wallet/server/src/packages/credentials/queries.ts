// Reads key pairs.

import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { KeyPurpose } from '../customer-package.ts';
import type { ListedPair } from './key-pair.ts';

interface PairRow {
  id: bigint;
  purpose: KeyPurpose;
  api_key: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const fields = 'id, purpose, api_key, created_at, expires_at, revoked_at, last_used_at';

/** Parameter 1 is the package. */
const pairsWithUses = `package_keys left join package_key_uses as used
  on used.package_id = $1 and used.key_id = package_keys.id`;

const fromRow = (row: PairRow): ListedPair => ({
  id: row.id,
  purpose: row.purpose,
  apiKey: row.api_key,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
});

/** Enough for all live pairs and the latest ended ones; the audit log has all. */
const maxListed = 100;

/** The newest first. */
export async function listKeyPairs(db: Queryable, packageId: number): Promise<ListedPair[]> {
  const { rows } = await db.query<PairRow>(
    `select ${fields} from ${pairsWithUses}
     where package_keys.package_id = $1 order by id desc limit $2`,
    [packageId, maxListed],
  );
  return rows.map(fromRow);
}

export async function findKeyPair(
  db: Queryable,
  key: { packageId: number; id: bigint },
): Promise<{ pair: ListedPair; secretSealed: Buffer | undefined } | undefined> {
  const { rows } = await db.query<PairRow & { secret_sealed: Buffer | null }>(
    `select ${fields}, secret_sealed from ${pairsWithUses}
     where package_keys.package_id = $1 and id = $2`,
    [key.packageId, key.id],
  );
  const row = rows[0];
  return row && { pair: fromRow(row), secretSealed: row.secret_sealed ?? undefined };
}

/** The pair that the upstream uses: the newest live one. */
export async function findNewestCallbackPair(
  db: Queryable,
  wanted: { packageId: number; at: Date },
): Promise<{ apiKey: string; secretSealed: Buffer } | undefined> {
  const { rows } = await db.query<{ api_key: string; secret_sealed: Buffer }>(
    `select api_key, secret_sealed from package_keys
     where package_id = $1 and purpose = 'callback' and revoked_at is null
       and (expires_at is null or expires_at > $2)
     order by id desc limit 1`,
    [wanted.packageId, wanted.at],
  );
  return rows[0] && { apiKey: rows[0].api_key, secretSealed: rows[0].secret_sealed };
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
