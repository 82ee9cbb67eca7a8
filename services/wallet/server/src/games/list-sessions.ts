// A package's sessions, newest first, page by page.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { ListedSession } from './game-session.ts';
import { selectSessions } from './session-store.ts';

export const listSessions = (
  db: Queryable,
  wanted: { packageId: number; before: bigint | undefined; limit: number },
): Promise<ListedSession[]> => selectSessions(db, wanted);
