// Reads the audit log of a package or of the platform.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { queryRows } from '@counterfoil/kit/postgres/rows';
import type { Page } from '../wire/paging.ts';
import type { Actor, ListedAuditEvent } from './audit-event.ts';

interface AuditRow extends Omit<ListedAuditEvent, 'actor' | 'subject'> {
  readonly actorKind: Actor['kind'];
  readonly actorPersonId: bigint | undefined;
  readonly actorTokenId: bigint | undefined;
  readonly address: string;
  readonly subjectKind: string;
  readonly subjectId: string;
}

/**
 * Converts a row to its actor. Constraints of the table guarantee that each row has the id that its kind of
 * actor needs.
 */
function toActor({ actorKind: kind, actorPersonId, actorTokenId, address }: AuditRow): Actor {
  if (kind === 'operator') return { kind };
  if (kind === 'stranger') return { kind, address };
  if (kind === 'admin_token') return { kind, tokenId: actorTokenId ?? 0n, address };
  return { kind, personId: actorPersonId ?? 0n, address };
}

/** Lists entries of an audit log, newest first. */
export async function listAudit(
  db: Queryable,
  wanted: Pick<Page, 'before' | 'limit'> & { packageId: number; action: string | undefined },
): Promise<ListedAuditEvent[]> {
  const rows = await queryRows<AuditRow>(
    db,
    `select * from audit_log
     where package_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.packageId, wanted.before ?? null, wanted.action ?? null, wanted.limit],
  );
  return rows.map((row) => {
    const subject = { kind: row.subjectKind, id: row.subjectId };
    return { ...row, actor: toActor(row), subject };
  });
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
