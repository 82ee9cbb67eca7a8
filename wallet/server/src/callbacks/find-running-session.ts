// Whether the session that a bet names is running, and this player's: asked afresh for every bet.
import { createCoalescer } from '@counterfoil/kit/coalesce';

export interface PlaySession {
  readonly accountId: bigint;
  readonly mode: 'real' | 'demo';
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
}

export interface SessionFinder {
  isRunning(bet: { packageId: number; sessionId: string; account: bigint }): Promise<boolean>;
}

/**
 * Nothing is remembered: a bet that comes after the end of its session must not be taken, on any
 * process. Bets of one moment share their look-ups instead, and each session is read once for all.
 */
export function createSessionFinder(options: {
  find: (session: { packageId: number; sessionId: string }) => Promise<PlaySession | undefined>;
  now: () => Date;
}): SessionFinder {
  const load = createCoalescer<string, PlaySession>({
    maxBatch: 64,
    maxInFlight: 2,
    load: (group, ids) => {
      const packageId = Number(group);
      const found = new Map<string, Promise<PlaySession | undefined>>();
      return Promise.all(
        ids.map((sessionId) => {
          const known = found.get(sessionId) ?? options.find({ packageId, sessionId });
          found.set(sessionId, known);
          return known;
        }),
      );
    },
  });
  return {
    isRunning: async ({ packageId, sessionId, account }) => {
      const session = await load(String(packageId), sessionId);
      if (!session || session.accountId !== account || session.endedAt) return false;
      // In demo mode the provider plays with money of its own and calls nothing back.
      return session.mode === 'real' && session.expiresAt > options.now();
    },
  };
}
