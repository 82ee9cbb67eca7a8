// Reads which packages are registered at the upstream, and which registrations are due.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
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

const fields = `done < wanted as is_pending, registered_at, attempts, last_error,
  case when done < wanted then next_try_at end as next_try_at`;

export const findRegistration = (db: Queryable, packageId: number) =>
  queryRow<RegistrationState>(db, `select ${fields} from upstream_registrations where package_id = $1`, [
    packageId,
  ]);

export async function countPendingRegistrations(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ pending: number }>(
    'select count(*)::int as pending from upstream_registrations where done < wanted',
  );
  return rows[0]?.pending ?? 0;
}

const maxListed = 100;

/** Packages that are not registered yet. Packages with the most failed attempts come first. */
export const listPendingRegistrations = (db: Queryable) =>
  queryRows<RegistrationState & { packageId: number; name: string }>(
    db,
    `select package_id, name, ${fields}
     from upstream_registrations r join packages p on p.id = r.package_id
     where r.done < r.wanted order by r.attempts desc, r.package_id limit $1`,
    [maxListed],
  );
