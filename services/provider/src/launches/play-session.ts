// The session of a player in a game: its one-time address and its cookie.
import { createHash, randomBytes } from 'node:crypto';
import { equalsInConstantTime } from '@counterfoil/kit/crypto/secrets';
import { fail } from '../errors.ts';
import type { presentRound, RoundOrder } from '../play/round.ts';
import type { Launch } from './launch.ts';

const maxSessions = 20_000;
const demoBalanceUnits = 1000n;

export interface PlaySession {
  readonly token: string;
  readonly launch: Launch;
  readonly linkExpiresAtMs: number;
  /** Hash of the cookie; undefined until the one-time link was used. */
  cookieHash: Buffer | undefined;
  demoBalanceMinor: bigint;
  lastRound: PlayedRound | undefined;
}

export interface PlayedRound extends RoundOrder {
  readonly answer: Promise<ReturnType<typeof presentRound>>;
  isRunning: boolean;
}

export type PlaySessions = ReturnType<typeof createPlaySessions>;

const hash = (text: string) => createHash('sha256').update(text, 'utf8').digest();

export function createPlaySessions(linkMs: number, now: () => number) {
  const sessions = new Map<string, PlaySession>();
  const isOver = (session: PlaySession) => {
    const isUnused = session.cookieHash === undefined && session.linkExpiresAtMs <= now();
    return isUnused || session.launch.expiresAtMs + linkMs <= now();
  };
  const sweep = () => {
    for (const [token, session] of sessions) if (isOver(session)) sessions.delete(token);
  };
  return {
    create: (launch: Launch): PlaySession => {
      if (sessions.size >= maxSessions) sweep();
      if (sessions.size >= maxSessions) throw fail('overloaded');
      const session: PlaySession = {
        token: randomBytes(24).toString('base64url'),
        launch,
        linkExpiresAtMs: Math.min(now() + linkMs, launch.expiresAtMs),
        cookieHash: undefined,
        demoBalanceMinor: demoBalanceUnits * 10n ** BigInt(launch.decimals),
        lastRound: undefined,
      };
      sessions.set(session.token, session);
      return session;
    },
    /**
     * Returns a cookie when the address is used for the first time; undefined if it was used before or has
     * expired.
     */
    open: (token: string) => {
      const session = sessions.get(token);
      if (!session || session.cookieHash || isOver(session)) return undefined;
      const cookie = randomBytes(24).toString('base64url');
      session.cookieHash = hash(cookie);
      return { session, cookie };
    },
    find: (token: string, cookie: string | undefined) => {
      const session = sessions.get(token);
      if (!session?.cookieHash || cookie === undefined || isOver(session)) return undefined;
      return equalsInConstantTime(session.cookieHash, hash(cookie)) ? session : undefined;
    },
  };
}
