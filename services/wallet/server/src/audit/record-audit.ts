// Writes an entry of the audit log, in the same transaction as the change that the entry describes.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { platformTenant } from '../platform.ts';
import type { AuditEvent } from './audit-event.ts';
import { insertAuditRow } from './store.ts';

export { updateAuditSubject as renameAuditSubject } from './store.ts';

const platform = Number(platformTenant);

/**
 * Records a change of a package in the log of the package. A change that the platform made is also written to
 * the platform's log. With `concernsPlatform`, a change that a member made is written to the platform's log
 * too.
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

/** Records a change of the platform itself, such as a new administrator token. */
export const recordPlatformAudit = (tx: Tx, event: Omit<AuditEvent, 'packageId'>): Promise<void> =>
  recordAudit(tx, { ...event, packageId: platform });
