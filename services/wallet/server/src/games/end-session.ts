// Ends a player's session: its bets are refused from now on, what is won is still paid.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { ListedSession } from './game-session.ts';
import { saveSessionEnd, selectListedSession } from './session-store.ts';

/** Another end changes nothing. Another package's session answers like one that never was. */
export async function endSession(
  db: Queryable,
  wanted: { packageId: number; sessionId: string; at: Date },
): Promise<ListedSession> {
  await saveSessionEnd(db, wanted, wanted.at);
  const session = await selectListedSession(db, wanted);
  if (session) return session;
  throw fail('session_not_found');
}
