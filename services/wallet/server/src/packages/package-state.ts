// The states of a package: pending → approved ⇄ suspended.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { PackageState } from './customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from './lock-package.ts';
import { recordEvent } from './package-events.ts';
import { savePackageState } from './store.ts';

export const approvePackage = (tx: Tx, target: PackageTarget): Promise<void> =>
  changeState(tx, target, { from: 'pending', to: 'approved', action: 'package_approved' });

export const suspendPackage = (
  tx: Tx,
  target: PackageTarget & { reason?: string | undefined },
): Promise<void> =>
  changeState(tx, target, {
    from: 'approved',
    to: 'suspended',
    action: 'package_suspended',
    ...(target.reason !== undefined && { details: { reason: target.reason } }),
  });

export const resumePackage = (tx: Tx, target: PackageTarget): Promise<void> =>
  changeState(tx, target, { from: 'suspended', to: 'approved', action: 'package_resumed' });

/** Does nothing if the package is in the wanted state already, so that a repeat is harmless. */
async function changeState(
  tx: Tx,
  target: PackageTarget,
  change: { from: PackageState; to: PackageState; action: string; details?: Record<string, unknown> },
): Promise<void> {
  const { uid, state } = await lockPackage(tx, target.packageId);
  if (state === change.to) return;
  if (state !== change.from) {
    throw fail('wrong_package_state', { msg: `The package is ${state}`, data: { state } });
  }
  await savePackageState(tx, target.packageId, change.to);
  await recordPackageChange(tx, { ...target, uid }, change);
  await recordStateEvent(tx, { ...target, uid, from: state, to: change.to });
}

/**
 * Writes a webhook event about a suspension or its end. The first approval is neither, so it writes no event.
 */
async function recordStateEvent(
  tx: Tx,
  change: { packageId: number; at: Date; uid: string; from: PackageState; to: PackageState },
): Promise<void> {
  if (change.from === 'pending') return;
  const type = change.to === 'suspended' ? 'package.suspended' : 'package.resumed';
  const data = { package_id: change.packageId, uid: change.uid, state: change.to };
  await recordEvent(tx, change.packageId, { type, at: change.at, subject: 'package', data });
}
