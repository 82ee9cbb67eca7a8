// Writes to `audit_log`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { AuditEvent } from './audit-event.ts';

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

/**
 * Replaces the id of an erased player in all entries about the player, in the logs of the package and of the
 * platform.
 */
export async function updateAuditSubject(
  tx: Tx,
  change: { packageId: number; kind: string; from: string; to: string },
): Promise<void> {
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
