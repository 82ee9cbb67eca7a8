// Whether a database holds any package yet.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { hasAnyPackage } from './store.ts';

export const hasPackages = (db: Queryable): Promise<boolean> => hasAnyPackage(db);
