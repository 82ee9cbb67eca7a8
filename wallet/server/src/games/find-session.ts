// Finds the session that a callback names; another package's is as good as none.
import type { Queryable } from '@counterfoil/kit/db';
import type { GameSession } from './game-session.ts';
import { selectSession } from './session-store.ts';

export const findSession = (
  db: Queryable,
  key: { packageId: number; sessionId: string },
): Promise<GameSession | undefined> => selectSession(db, key);
