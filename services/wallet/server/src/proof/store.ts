// Writes proofs, and the claims of processes that run a proof.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Progress, StoredProof } from './queries.ts';

export async function saveProof(db: Queryable, proof: StoredProof & { packageId: number }): Promise<void> {
  await db.query(
    `insert into ledger_proofs (package_id, finished_at, result) values ($1, $2, $3)
     on conflict (package_id)
     do update set finished_at = excluded.finished_at, result = excluded.result`,
    [proof.packageId, proof.finishedAt, JSON.stringify(proof.result)],
  );
}

interface Claim extends Progress {
  readonly packageId: number;
  readonly until: Date;
}

/** Inserts a claim; returns false if another process has the claim. */
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
  await db.query('update proofs_under_way set movements = $2, total = $3, until = $4 where package_id = $1', [
    claim.packageId,
    claim.movements,
    claim.of,
    claim.until,
  ]);
}

export async function deleteClaim(db: Queryable, packageId: number): Promise<void> {
  await db.query('delete from proofs_under_way where package_id = $1', [packageId]);
}
