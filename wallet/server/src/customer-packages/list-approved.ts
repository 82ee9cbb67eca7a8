// Packages that may be called, for whoever prepares what they will need.
import type { Queryable } from '@counterfoil/kit/db';
import { selectApprovedIds } from './store.ts';

export const listApproved = (db: Queryable, limit: number): Promise<number[]> =>
  selectApprovedIds(db, limit);
