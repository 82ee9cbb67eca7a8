// Reads which packages are registered at the upstream, and which registrations are due.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { RegistrationState } from './registration.ts';

export async function listDueRegistrations(
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

interface Row {
  is_pending: boolean;
  registered_at: Date | null;
  attempts: number;
  next_try_at: Date;
  last_error: string | null;
}

const fromRow = (row: Row): RegistrationState => ({
  isPending: row.is_pending,
  registeredAt: row.registered_at ?? undefined,
  attempts: row.attempts,
  nextTryAt: row.is_pending ? row.next_try_at : undefined,
  lastError: row.last_error ?? undefined,
});

export async function findRegistration(
  db: Queryable,
  packageId: number,
): Promise<RegistrationState | undefined> {
  const { rows } = await db.query<Row>(
    `select done < wanted as is_pending, registered_at, attempts, next_try_at, last_error
     from upstream_registrations where package_id = $1`,
    [packageId],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function countPendingRegistrations(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ pending: number }>(
    'select count(*)::int as pending from upstream_registrations where done < wanted',
  );
  return rows[0]?.pending ?? 0;
}

const maxListed = 100;

/** Packages that are not registered yet, those with the most failed attempts first. */
export async function listPendingRegistrations(
  db: Queryable,
): Promise<(RegistrationState & { packageId: number; name: string })[]> {
  const { rows } = await db.query<Row & { package_id: number; name: string }>(
    `select r.package_id, p.name, true as is_pending, r.registered_at, r.attempts, r.next_try_at,
       r.last_error
     from upstream_registrations r join packages p on p.id = r.package_id
     where r.done < r.wanted order by r.attempts desc, r.package_id limit $1`,
    [maxListed],
  );
  return rows.map((row) => ({ packageId: row.package_id, name: row.name, ...fromRow(row) }));
}
