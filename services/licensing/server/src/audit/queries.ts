// Reads of the audit log of a workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Page } from '../wire/paging.ts';
import type { ListedAuditEvent } from './audit-event.ts';

interface Row {
  workspace_id: bigint;
  id: bigint;
  at: Date;
  actor_person_id: bigint | null;
  actor_api_key_id: bigint | null;
  address: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  details: Record<string, unknown>;
}

const fromRow = (row: Row): ListedAuditEvent => ({
  workspaceId: row.workspace_id,
  id: row.id,
  at: row.at,
  actor: {
    ...(row.actor_person_id !== null && { personId: row.actor_person_id }),
    ...(row.actor_api_key_id !== null && { apiKeyId: row.actor_api_key_id }),
    address: row.address,
  },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  details: row.details,
});

/** The newest entries first. */
export async function listAudit(
  db: Queryable,
  wanted: { workspaceId: bigint; page: Page; action: string | undefined },
): Promise<ListedAuditEvent[]> {
  const { limit, after } = wanted.page;
  const { rows } = await db.query<Row>(
    `select * from audit_log
     where workspace_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.workspaceId, after[0] ?? null, wanted.action ?? null, limit],
  );
  return rows.map(fromRow);
}
