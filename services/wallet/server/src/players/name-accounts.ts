// The ids that callers know their players by, for accounts of one package.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectPlayerIds } from './store.ts';

export const nameAccounts = (
  db: Queryable,
  packageId: number,
  accounts: Iterable<bigint>,
): Promise<ReadonlyMap<bigint, string>> => selectPlayerIds(db, packageId, [...new Set(accounts)]);
