// A player's session of one game: a launch opens it, and callbacks refer to it.

import { randomBytes } from 'node:crypto';
import { named } from '@counterfoil/kit/http/openapi/schema-marks';
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import { Type } from 'typebox';
import { fail } from '../errors.ts';
import { findListedSession } from './queries.ts';
import { insertSession, saveSessionEnd, saveSessionReplaced } from './store.ts';

export type LaunchMode = 'real' | 'demo';

export type LaunchSource = 'private' | 'shared';

export interface GameSession {
  readonly accountId: bigint;
  readonly gameId: string;
  readonly mode: LaunchMode;
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  /** The connection whose game is played; undefined for games of the configured upstream. */
  readonly connectionId: string | undefined;
  /** The time at which a new session replaced this session. */
  readonly replacedAt: Date | undefined;
}

export interface ListedSession extends GameSession {
  readonly sessionId: string;
  readonly number: bigint;
  readonly playerId: string;
  readonly source: LaunchSource | undefined;
  readonly privateFailure: string | undefined;
  readonly createdAt: Date;
}

type SessionState = 'launching' | 'open' | 'expired' | 'ended' | 'failed';

/** A session without a source has no launch URL: its launch is running or has failed. */
function getSessionState(session: ListedSession, now: Date): SessionState {
  const { endedAt, source } = session;
  if (endedAt) return source ? 'ended' : 'failed';
  if (session.expiresAt <= now) return 'expired';
  return source ? 'open' : 'launching';
}

const time = Type.String({ format: 'date-time' });

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const SessionAnswer = named(
  'GameSession',
  Type.Object({
    session_id: Type.String(),
    player_id: Type.String(),
    game_id: Type.String(),
    mode: Type.Enum(['real', 'demo']),
    state: Type.Enum(['launching', 'open', 'expired', 'ended', 'failed']),
    source: Type.Union([Type.Enum(['private', 'shared']), Type.Null()]),
    private_failure: textOrNull,
    created_at: time,
    expires_at: time,
    ended_at: Type.Union([time, Type.Null()]),
  }),
);

export const presentSession = (session: ListedSession, now: Date) => ({
  session_id: session.sessionId,
  player_id: session.playerId,
  game_id: session.gameId,
  mode: session.mode,
  state: getSessionState(session, now),
  source: session.source ?? null,
  private_failure: session.privateFailure ?? null,
  created_at: session.createdAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  ended_at: session.endedAt?.toISOString() ?? null,
});

/**
 * Ending a session twice changes nothing. A session of a different package gets the same answer as an unknown
 * session.
 */
export async function endSession(
  db: Queryable,
  wanted: { packageId: number; sessionId: string; at: Date },
): Promise<ListedSession> {
  await saveSessionEnd(db, wanted, wanted.at);
  const session = await findListedSession(db, wanted);
  if (session) return session;
  throw fail('session_not_found');
}

export const makeSessionId = (): string => `gs_${randomBytes(24).toString('base64url')}`;

/** Ends the session and opens a new one for the same player and game. Returns the new session's id. */
export async function replaceSession(
  db: Db,
  old: { packageId: number; sessionId: string; session: GameSession; at: Date },
): Promise<string> {
  const { packageId, session, at } = old;
  const sessionId = makeSessionId();
  const { accountId, gameId, mode, expiresAt, connectionId } = session;
  await db.transaction(async (tx) => {
    await saveSessionReplaced(tx, old, at);
    const fresh = { packageId, sessionId, accountId, gameId, mode, expiresAt, connectionId };
    await insertSession(tx, { ...fresh, createdAt: at });
  });
  return sessionId;
}
