// Writes to `audit_log`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { AuditEvent } from './audit-event.ts';

export async function insertAuditRow(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.query(
    `insert into audit_log (workspace_id, at, actor_person_id, actor_api_key_id, address, action,
       subject_kind, subject_id, details, actor_is_buyer)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
      event.actor.isBuyer ?? false,
    ],
  );
}
