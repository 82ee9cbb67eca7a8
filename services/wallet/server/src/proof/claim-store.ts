// Rows of `proofs_under_way`: which package is being proved, how far that is, and until when it counts.
import type { Queryable } from '@counterfoil/kit/postgres/db';

export interface Progress {
  readonly movements: number;
  readonly of: number;
}

interface Claim extends Progress {
  readonly packageId: number;
  readonly until: Date;
}

/** False where somebody else is at it. */
export async function insertClaim(db: Queryable, claim: Claim & { at: Date }): Promise<boolean> {
  const { rows } = await db.query(
    `insert into proofs_under_way as p (package_id, movements, total, until) values ($1, $2, $3, $4)
     on conflict (package_id) do update set movements = excluded.movements, total = excluded.total,
       until = excluded.until
     where p.until <= $5
     returning package_id`,
    [claim.packageId, claim.movements, claim.of, claim.until, claim.at],
  );
  return rows.length > 0;
}

export async function saveProgress(db: Queryable, claim: Claim): Promise<void> {
  await db.query(
    'update proofs_under_way set movements = $2, total = $3, until = $4 where package_id = $1',
    [claim.packageId, claim.movements, claim.of, claim.until],
  );
}

export async function deleteClaim(db: Queryable, packageId: number): Promise<void> {
  await db.query('delete from proofs_under_way where package_id = $1', [packageId]);
}

export async function selectProgress(
  db: Queryable,
  wanted: { packageId: number; at: Date },
): Promise<Progress | undefined> {
  const { rows } = await db.query<{ movements: bigint; total: bigint }>(
    'select movements, total from proofs_under_way where package_id = $1 and until > $2',
    [wanted.packageId, wanted.at],
  );
  return rows[0] && { movements: Number(rows[0].movements), of: Number(rows[0].total) };
}
