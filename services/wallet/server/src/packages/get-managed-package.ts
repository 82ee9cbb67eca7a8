// One package with its settings and credit.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { ManagedPackage } from './managed-package.ts';
import { selectManagedPackage } from './management-store.ts';

export async function getManagedPackage(db: Queryable, id: number): Promise<ManagedPackage> {
  const found = await selectManagedPackage(db, id);
  if (!found) throw fail('package_not_found');
  return found;
}
