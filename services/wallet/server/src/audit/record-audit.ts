// Writes a line of the audit log in the transaction of the change that it describes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { AuditEvent } from './audit-event.ts';
import { type AuditSubjectChange, insertAuditRow, updateAuditSubject } from './store.ts';

const platform = Number(platformTenant);

/**
 * Changes that the platform made in a package are in the log of both. `concernsPlatform` adds a
 * change that a member made to the platform's log as well.
 */
export async function recordAudit(
  tx: Tx,
  event: AuditEvent,
  options: { concernsPlatform?: boolean } = {},
): Promise<void> {
  await insertAuditRow(tx, event);
  const { packageId, actor } = event;
  const isOutsider = actor.kind === 'member' || actor.kind === 'stranger';
  if (packageId === platform || (isOutsider && !options.concernsPlatform)) return;
  await insertAuditRow(tx, { ...event, packageId: platform, aboutPackageId: packageId });
}

/** Replaces an erased id by another in every entry about it. */
export const renameAuditSubject = (tx: Tx, change: AuditSubjectChange): Promise<void> =>
  updateAuditSubject(tx, change);
