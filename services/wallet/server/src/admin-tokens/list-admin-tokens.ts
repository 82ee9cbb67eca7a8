// The platform's tokens, the live ones first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { AdminToken } from './admin-token.ts';
import { selectTokens } from './store.ts';

/** All live ones, and some that ended; the audit log has all. */
const shown = 200;

export const listAdminTokens = (db: Queryable, now: Date): Promise<AdminToken[]> =>
  selectTokens(db, { now, limit: shown });
