// Lets a pending package's calls through.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PackageTarget } from './lock-package.ts';
import { changeState } from './package-state.ts';

export const approvePackage = (tx: Tx, target: PackageTarget): Promise<void> =>
  changeState(tx, target, { from: 'pending', to: 'approved', action: 'package_approved' });
