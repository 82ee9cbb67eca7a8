// Takes a suspension back.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PackageTarget } from './lock-package.ts';
import { changeState } from './package-state.ts';

export const resumePackage = (tx: Tx, target: PackageTarget): Promise<void> =>
  changeState(tx, target, { from: 'suspended', to: 'approved', action: 'package_resumed' });
