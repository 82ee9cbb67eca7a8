// pending → approved ⇄ suspended: the only ways a package's state may go.
import type { Tx } from '@counterfoil/kit/db';
import { fail } from '../errors.ts';
import type { PackageState } from './customer-package.ts';
import { lockPackage, type PackageTarget, recordPackageChange } from './lock-package.ts';
import { savePackageState } from './management-store.ts';

/** Asked for the state that the package is in, it changes nothing: a repeat is no mistake. */
export async function changeState(
  tx: Tx,
  target: PackageTarget,
  change: {
    from: PackageState;
    to: PackageState;
    action: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  const { uid, state } = await lockPackage(tx, target.packageId);
  if (state === change.to) return;
  if (state !== change.from) {
    throw fail('wrong_package_state', { msg: `The package is ${state}`, data: { state } });
  }
  await savePackageState(tx, target.packageId, change.to);
  await recordPackageChange(tx, { ...target, uid }, change);
}
