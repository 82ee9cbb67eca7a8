// Stops a package from giving out money; reads, wins and rollbacks go on.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PackageTarget } from './lock-package.ts';
import { changeState } from './package-state.ts';

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
