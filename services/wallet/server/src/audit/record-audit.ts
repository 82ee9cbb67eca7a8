// Writes a line of the audit log in the transaction of the change that it describes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { AuditEvent } from './audit-event.ts';
import { type AuditSubjectChange, insertAuditRow, updateAuditSubject } from './store.ts';

const platform = Number(platformTenant);

/** Changes that the platform made in a package are in the log of both. */
export async function recordAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await insertAuditRow(tx, event);
  const { packageId, actor } = event;
  if (packageId === platform || actor.kind === 'member' || actor.kind === 'stranger') return;
  await insertAuditRow(tx, { ...event, packageId: platform, aboutPackageId: packageId });
}

/** Replaces an erased id by another in every entry about it. */
export const renameAuditSubject = (tx: Tx, change: AuditSubjectChange): Promise<void> =>
  updateAuditSubject(tx, change);
