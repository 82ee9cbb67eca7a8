// Checks for every bet whether the session that the bet names is running and belongs to the player.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';

export interface PlaySession {
  readonly accountId: bigint;
  readonly gameId: string;
  readonly mode: 'real' | 'demo';
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  readonly connectionId: string | undefined;
  readonly replacedAt: Date | undefined;
}

export interface SessionFinder {
  isRunning(bet: { packageId: number; sessionId: string; account: bigint }): Promise<boolean>;
  find(packageId: number, sessionId: string): Promise<PlaySession | undefined>;
}

/**
 * A demo session never counts as playable: in demo mode the provider uses play money and sends no callbacks.
 */
export const isPlayable = ({ mode, expiresAt, endedAt }: PlaySession, now: Date): boolean =>
  !endedAt && mode === 'real' && expiresAt > now;

/**
 * Sessions are not cached, because no process may accept a bet after the end of the session. Bets that arrive
 * at the same time share one query.
 */
export function createSessionFinder(options: {
  find: (wanted: {
    packageId: number;
    sessionIds: readonly string[];
  }) => Promise<ReadonlyMap<string, PlaySession>>;
  now: () => Date;
}): SessionFinder {
  const load = createCoalescer<string, PlaySession>({
    maxBatch: 256,
    load: async (group, ids) => {
      const sessionIds = [...new Set(ids)];
      const found = await options.find({ packageId: Number(group), sessionIds });
      return ids.map((id) => found.get(id));
    },
  });
  return {
    isRunning: async ({ packageId, sessionId, account }) => {
      const session = await load(String(packageId), sessionId);
      return session?.accountId === account && isPlayable(session, options.now());
    },
    find: (packageId, sessionId) => load(String(packageId), sessionId),
  };
}
