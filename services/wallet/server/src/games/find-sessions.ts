// Finds the sessions that callbacks name; another package's is as good as none.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { GameSession } from './game-session.ts';
import { selectSessionsById } from './session-store.ts';

export const findSessions = (
  db: Queryable,
  wanted: { packageId: number; sessionIds: readonly string[] },
): Promise<ReadonlyMap<string, GameSession>> => selectSessionsById(db, wanted);
