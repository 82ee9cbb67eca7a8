// Reads of the audit log of a package or of the platform.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Actor, ListedAuditEvent } from './audit-event.ts';

interface Row {
  package_id: number;
  id: bigint;
  at: Date;
  actor_kind: Actor['kind'];
  actor_person_id: bigint | null;
  actor_token_id: bigint | null;
  address: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  details: Record<string, unknown>;
  about_package_id: number | null;
}

/** Constraints of the table guarantee the id that goes with each kind. */
function toActor(row: Row): Actor {
  const { actor_kind: kind, address } = row;
  if (kind === 'operator') return { kind };
  if (kind === 'stranger') return { kind, address };
  if (kind === 'admin_token') return { kind, tokenId: row.actor_token_id ?? 0n, address };
  return { kind, personId: row.actor_person_id ?? 0n, address };
}

const fromRow = (row: Row): ListedAuditEvent => ({
  packageId: row.package_id,
  aboutPackageId: row.about_package_id ?? undefined,
  id: row.id,
  at: row.at,
  actor: toActor(row),
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  details: row.details,
});

export interface WantedAudit {
  readonly packageId: number;
  /** The last id of the page before. */
  readonly before: bigint | undefined;
  readonly action: string | undefined;
  readonly limit: number;
}

/** The newest entries first. */
export async function listAudit(db: Queryable, wanted: WantedAudit): Promise<ListedAuditEvent[]> {
  const { rows } = await db.query<Row>(
    `select * from audit_log
     where package_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.packageId, wanted.before ?? null, wanted.action ?? null, wanted.limit],
  );
  return rows.map(fromRow);
}

/** The UIDs of the packages that these entries of the platform's log are about. */
export async function listUids(
  db: Queryable,
  events: readonly ListedAuditEvent[],
): Promise<Map<number, string>> {
  const packageIds = events.flatMap(({ aboutPackageId }) => aboutPackageId ?? []);
  if (packageIds.length === 0) return new Map();
  const { rows } = await db.query<{ id: number; uid: string }>(
    'select id, uid from packages where id = any($1::int[])',
    [packageIds],
  );
  return new Map(rows.map((row) => [row.id, row.uid]));
}
