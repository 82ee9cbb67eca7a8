// Rows of `upstream_registrations`: a queue of one place per package.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import type { RegistrationState } from './registration.ts';

/** A claim lasts longer than a call may take, so that two processes never register one package at a time. */
export const claimMs = deadlineMs(30_000);
/** Added here, because a distributed table takes no sum of times in an update. */
const endOfClaim = (at: Date) => new Date(at.getTime() + claimMs);

/**
 * $2 is now, $3 the end of a claim from now on. What is claimed stays so until its claim ends, lest an
 * older state arrive behind a newer one; a long pause after failures is cut to the length of a claim.
 */
const again = `wanted = r.wanted + 1,
  next_try_at = case when r.done = r.wanted then $2::timestamptz
    else least(r.next_try_at, $3::timestamptz) end`;

/** Nothing for a package that is not approved yet; the caller has its row locked. */
export async function insertWish(
  db: Queryable,
  { packageId, at }: { packageId: number; at: Date },
): Promise<void> {
  const { rows } = await db.query(`select 1 from packages where id = $1 and state <> 'pending'`, [
    packageId,
  ]);
  if (rows.length === 0) return;
  await db.query(
    `insert into upstream_registrations as r (package_id, next_try_at) values ($1, $2)
     on conflict (package_id) do update set ${again}`,
    [packageId, at, endOfClaim(at)],
  );
}

/** Of all packages; those without a row are wished for the first time. */
export async function insertAllWishes(db: Queryable, at: Date): Promise<void> {
  const { rows } = await db.query<{ id: number }>(
    `select id from packages where state <> 'pending'`,
  );
  const ids = rows.map((row) => row.id);
  await db.query(
    `update upstream_registrations as r set ${again} where package_id = any ($1::int[])`,
    [ids, at, endOfClaim(at)],
  );
  await db.query(
    `insert into upstream_registrations (package_id, next_try_at)
     select id, $2::timestamptz from unnest($1::int[]) as p (id) on conflict do nothing`,
    [ids, at],
  );
}

export async function selectDue(
  db: Queryable,
  wanted: { at: Date; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ package_id: number }>(
    `select package_id from upstream_registrations
     where done < wanted and next_try_at <= $1 order by next_try_at limit $2`,
    [wanted.at, wanted.limit],
  );
  return rows.map((row) => row.package_id);
}

/** Whoever moves the time of the next try has the package until then; the others find it moved. */
export async function claimWish(
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

/** A change that came meanwhile stays wanted, and is due now. */
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

export async function selectRegistration(
  db: Queryable,
  packageId: number,
): Promise<RegistrationState | undefined> {
  const { rows } = await db.query<{
    is_pending: boolean;
    registered_at: Date | null;
    attempts: number;
    next_try_at: Date;
    last_error: string | null;
  }>(
    `select done < wanted as is_pending, registered_at, attempts, next_try_at, last_error
     from upstream_registrations where package_id = $1`,
    [packageId],
  );
  const row = rows[0];
  return (
    row && {
      isPending: row.is_pending,
      registeredAt: row.registered_at ?? undefined,
      attempts: row.attempts,
      nextTryAt: row.is_pending ? row.next_try_at : undefined,
      lastError: row.last_error ?? undefined,
    }
  );
}

export async function countPending(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ pending: number }>(
    'select count(*)::int as pending from upstream_registrations where done < wanted',
  );
  return rows[0]?.pending ?? 0;
}

/** Those that are still to be told, or could not be, the longest waiting first. */
export async function selectPending(
  db: Queryable,
  limit: number,
): Promise<(RegistrationState & { packageId: number; name: string })[]> {
  const { rows } = await db.query<{
    package_id: number;
    name: string;
    registered_at: Date | null;
    attempts: number;
    next_try_at: Date;
    last_error: string | null;
  }>(
    `select r.package_id, p.name, r.registered_at, r.attempts, r.next_try_at, r.last_error
     from upstream_registrations r join packages p on p.id = r.package_id
     where r.done < r.wanted order by r.attempts desc, r.package_id limit $1`,
    [limit],
  );
  return rows.map((row) => ({
    packageId: row.package_id,
    name: row.name,
    isPending: true,
    registeredAt: row.registered_at ?? undefined,
    attempts: row.attempts,
    nextTryAt: row.next_try_at,
    lastError: row.last_error ?? undefined,
  }));
}
