// Rows of `audit_log`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { Actor, AuditEvent, ListedAuditEvent } from './audit-event.ts';

export async function insertAuditRow(tx: Tx, event: AuditEvent): Promise<void> {
  const { actor } = event;
  await tx.query(
    `insert into audit_log (package_id, at, actor_kind, actor_person_id, actor_token_id, address,
       action, subject_kind, subject_id, details, about_package_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      event.packageId,
      event.at,
      actor.kind,
      'personId' in actor ? actor.personId : null,
      'tokenId' in actor ? actor.tokenId : null,
      'address' in actor ? actor.address : '',
      event.action,
      event.subject.kind,
      event.subject.id,
      JSON.stringify(event.details ?? {}),
      event.aboutPackageId ?? null,
    ],
  );
}

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

/** The table's checks hold which id goes with which kind. */
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

export interface AuditSubjectChange {
  readonly packageId: number;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

/** Renames the subject in the package's own log and in the platform's lines about the package. */
export async function updateAuditSubject(tx: Tx, change: AuditSubjectChange): Promise<void> {
  const values = [change.packageId, change.kind, change.from, change.to];
  await tx.query(
    `update audit_log set subject_id = $4
     where package_id = $1 and subject_kind = $2 and subject_id = $3`,
    values,
  );
  await tx.query(
    `update audit_log set subject_id = $4
     where package_id = ${platformTenant} and about_package_id = $1
       and subject_kind = $2 and subject_id = $3`,
    values,
  );
}

export async function selectUids(
  db: Queryable,
  packageIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; uid: string }>(
    'select id, uid from packages where id = any($1::int[])',
    [packageIds],
  );
  return new Map(rows.map((row) => [row.id, row.uid]));
}

export interface WantedAudit {
  readonly packageId: number;
  /** Where the page before ended. */
  readonly before: bigint | undefined;
  readonly action: string | undefined;
  readonly limit: number;
}

export async function selectAuditRows(
  db: Queryable,
  wanted: WantedAudit,
): Promise<ListedAuditEvent[]> {
  const { rows } = await db.query<Row>(
    `select * from audit_log
     where package_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.packageId, wanted.before ?? null, wanted.action ?? null, wanted.limit],
  );
  return rows.map(fromRow);
}
