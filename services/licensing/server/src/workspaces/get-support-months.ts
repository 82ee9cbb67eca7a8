// How many months of support a new sale of a workspace has where its seller names no end.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { selectSupportMonths } from './store.ts';

/** 0 where the workspace gives no support. A sandbox has its own. */
export const getSupportMonths = (db: Queryable, workspaceId: bigint): Promise<number> =>
  selectSupportMonths(db, workspaceId);
