// Rows of `audit_log`.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import type { AuditEvent, ListedAuditEvent } from './audit-event.ts';

export async function insertAuditRow(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.query(
    `insert into audit_log (workspace_id, at, actor_person_id, actor_api_key_id, address, action,
       subject_kind, subject_id, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      event.workspaceId,
      event.at,
      event.actor.personId ?? null,
      event.actor.apiKeyId ?? null,
      event.actor.address ?? '',
      event.action,
      event.subject.kind,
      event.subject.id,
      JSON.stringify(event.details ?? {}),
    ],
  );
}

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

export async function selectAuditRows(
  db: Queryable,
  wanted: {
    workspaceId: bigint;
    beforeId: bigint | undefined;
    action: string | undefined;
    limit: number;
  },
): Promise<ListedAuditEvent[]> {
  const { rows } = await db.query<Row>(
    `select * from audit_log
     where workspace_id = $1 and ($2::bigint is null or id < $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [wanted.workspaceId, wanted.beforeId ?? null, wanted.action ?? null, wanted.limit],
  );
  return rows.map(fromRow);
}
