// Where an account's newest movement stands in its package's journal; 0 where it has none.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectLastSequence } from './store/journal-store.ts';

export const findLastSequence = (
  db: Queryable,
  packageId: number,
  account: bigint,
): Promise<bigint> => selectLastSequence(db, packageId, account);
