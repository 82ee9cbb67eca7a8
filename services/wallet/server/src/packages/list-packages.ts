// All packages for an administrator, the newest first; or those of a member, with their twins.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ManagedPackage } from './managed-package.ts';
import { type PackageFilter, selectManagedPackages, selectPackagesOf } from './management-store.ts';

export const listPackages = (db: Queryable, filter: PackageFilter): Promise<ManagedPackage[]> =>
  selectManagedPackages(db, filter);

export const listOwnPackages = (db: Queryable, ids: readonly number[]): Promise<ManagedPackage[]> =>
  selectPackagesOf(db, ids);
