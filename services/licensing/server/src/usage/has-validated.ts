// Whether a code of this workspace was ever found valid, as far back as counts are kept.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { existsValidation } from './store.ts';

export const hasValidated = (db: Queryable, workspaceId: bigint): Promise<boolean> =>
  existsValidation(db, workspaceId);
