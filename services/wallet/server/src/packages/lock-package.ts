// Holds a package for a change, and tells everyone who must know of it.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Actor, AuditEvent } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { wantRegistration } from '../registrations/want-registration.ts';
import { announcePackageChange } from './callers/find-package.ts';
import type { ManagedPackage } from './managed-package.ts';
import { lockManagedPackage } from './management-store.ts';

/** Which package is changed, by whom and when. */
export interface PackageTarget {
  readonly packageId: number;
  readonly actor: Actor;
  readonly at: Date;
}

export async function lockPackage(tx: Tx, packageId: number): Promise<ManagedPackage> {
  const held = await lockManagedPackage(tx, packageId);
  if (!held) throw fail('package_not_found');
  return held;
}

export interface PackageEvent {
  readonly action: string;
  readonly subject?: { readonly kind: string; readonly id: string };
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Every change of a package ends here: the word to every process, to the upstream (in its own time)
 * and the line in the audit logs of the package and of the platform, in the transaction of the change.
 */
export async function recordPackageChange(
  tx: Tx,
  target: PackageTarget & { uid: string },
  event: PackageEvent,
): Promise<void> {
  await announcePackageChange(tx, target.uid);
  await wantRegistration(tx, target);
  await recordPlatformEvent(tx, target, event);
}

/** For changes by which the platform follows the life of a package, whoever made them. */
export const recordPlatformEvent = (
  tx: Tx,
  target: PackageTarget,
  event: PackageEvent,
): Promise<void> => recordAudit(tx, describeEvent(target, event), { concernsPlatform: true });

/** For what changes nothing but must be known, such as a secret shown again. */
export const recordPackageEvent = (
  tx: Tx,
  target: PackageTarget,
  event: PackageEvent,
): Promise<void> => recordAudit(tx, describeEvent(target, event));

const describeEvent = (target: PackageTarget, event: PackageEvent): AuditEvent => ({
  packageId: target.packageId,
  at: target.at,
  actor: target.actor,
  action: event.action,
  subject: event.subject ?? { kind: 'package', id: String(target.packageId) },
  details: event.details ?? {},
});
