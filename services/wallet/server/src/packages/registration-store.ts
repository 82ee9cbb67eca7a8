// Reads and writes `upstream_registrations`, a queue with one entry per package.

import type { Queryable } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';

/**
 * The duration of a claim. It is longer than a call to the upstream may take, so that only one process at a
 * time registers a package.
 */
export const claimMs = deadlineMs(30_000);

/**
 * The time at which a claim ends. It is computed here, because Citus refuses a sum of times in an update of a
 * distributed table.
 */
const endOfClaim = (at: Date) => new Date(at.getTime() + claimMs);

/**
 * SQL that requests another registration of a package. $2 is the current time, and $3 is the end of a claim
 * that would start now. A claimed package stays claimed until its claim ends, so that an older state never
 * reaches the upstream after a newer state. A change that arrives during a pause after failures shortens the
 * pause to at most the duration of a claim.
 */
const again = `wanted = r.wanted + 1,
  next_try_at = case when r.done = r.wanted then $2::timestamptz
    else least(r.next_try_at, $3::timestamptz) end`;

/**
 * Requests a registration of the package, unless the package is pending. The caller must have locked the row
 * of the package.
 */
export async function requestRegistration(
  db: Queryable,
  { packageId, at }: { packageId: number; at: Date },
): Promise<void> {
  const { rows } = await db.query(`select 1 from packages where id = $1 and state <> 'pending'`, [packageId]);
  if (rows.length === 0) return;
  await db.query(
    `insert into upstream_registrations as r (package_id, next_try_at) values ($1, $2)
     on conflict (package_id) do update set ${again}`,
    [packageId, at, endOfClaim(at)],
  );
}

/**
 * Requests a registration of every package that is not pending. Called at every start, so that an upstream
 * that lost its data receives these packages again.
 */
export async function requestAllRegistrations(db: Queryable, at: Date): Promise<void> {
  const { rows } = await db.query<{ id: number }>(`select id from packages where state <> 'pending'`);
  const ids = rows.map((row) => row.id);
  await db.query(`update upstream_registrations as r set ${again} where package_id = any ($1::int[])`, [
    ids,
    at,
    endOfClaim(at),
  ]);
  await db.query(
    `insert into upstream_registrations (package_id, next_try_at)
     select id, $2::timestamptz from unnest($1::int[]) as p (id) on conflict do nothing`,
    [ids, at],
  );
}

/**
 * Claims a registration that is due. The claim moves the time of the next attempt. Until that time, only the
 * process with the claim may register the package.
 */
export async function claimRegistration(
  db: Queryable,
  claim: { packageId: number; at: Date; until: Date },
): Promise<{ version: bigint; attempts: number } | undefined> {
  const { rows } = await db.query<{ wanted: bigint; attempts: number }>(
    `update upstream_registrations set next_try_at = $3, attempts = attempts + 1
     where package_id = $1 and done < wanted and next_try_at <= $2
     returning wanted, attempts`,
    [claim.packageId, claim.at, claim.until],
  );
  return rows[0] && { version: rows[0].wanted, attempts: rows[0].attempts };
}

/**
 * Records that a version was registered. If the package has changed after this version, its registration
 * stays pending and is due now.
 */
export async function saveDone(
  db: Queryable,
  done: { packageId: number; version: bigint; at: Date },
): Promise<void> {
  await db.query(
    `update upstream_registrations set done = greatest(done, $2), registered_at = $3,
       next_try_at = $3, last_error = null, attempts = 0
     where package_id = $1`,
    [done.packageId, done.version, done.at],
  );
}

export async function saveFailed(
  db: Queryable,
  failed: { packageId: number; error: string; nextTryAt: Date },
): Promise<void> {
  await db.query(
    `update upstream_registrations set last_error = $2, next_try_at = $3
     where package_id = $1`,
    [failed.packageId, failed.error, failed.nextTryAt],
  );
}
