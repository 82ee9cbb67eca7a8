// Packages that may be called, for whoever prepares what they will need.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectApproved } from './store.ts';

export const listApproved = (
  db: Queryable,
  limit: number,
): Promise<{ id: number; uid: string }[]> => selectApproved(db, limit);
