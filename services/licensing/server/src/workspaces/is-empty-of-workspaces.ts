// Whether a database is still without any workspace.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { countWorkspaces } from './store.ts';

export const isEmptyOfWorkspaces = async (db: Queryable): Promise<boolean> =>
  (await countWorkspaces(db)) === 0n;
