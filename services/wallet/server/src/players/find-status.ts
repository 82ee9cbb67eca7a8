// Finds a player's status and maximum stake, from a cache if possible, because every bet needs them.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db } from '@counterfoil/kit/postgres/db';
import { createSerialQueuePerKey } from '../serial-queue.ts';
import type { PlayerStanding } from './player.ts';
import { selectStandings } from './queries.ts';

/**
 * The maximum age of a cached status, in case the notification of a change is lost. Notifications normally
 * arrive within milliseconds, over a connection that is checked every two seconds.
 */
const ttlMs = 5 * 60_000;

/**
 * Statuses that are in use are loaded again in groups before they expire, so that no bet waits for a query.
 */
const renew = { afterMs: 4 * 60_000, everyMs: 100 };

/**
 * The maximum number of changes to the players of one package that wait in memory. The changes do not wait
 * for a lock in the database, because a change that waits for a lock occupies a connection. Hundreds of
 * waiting changes would leave no connection for movements.
 */
const defaultMaxWaiting = 128;

export type StatusFinder = ReturnType<typeof createStatusFinder>;

export const playerKey = (packageId: number, playerId: string) => `${packageId}:${playerId}`;

export function createStatusFinder(options: {
  db: Db;
  maxWaiting?: number;
  /** The clock for the age of cached statuses. */
  monotonicMs?: () => number;
}) {
  const { monotonicMs = () => performance.now() } = options;
  const load = createCoalescer<string, PlayerStanding>({
    maxBatch: 512,
    load: (group, playerIds) => selectStandings(options.db, Number(group), playerIds),
  });
  const cache = createCache<PlayerStanding>({
    ttlMs,
    renew,
    maxEntries: 200_000,
    now: monotonicMs,
    load: (key) => {
      const end = key.indexOf(':');
      return load(key.slice(0, end), key.slice(end + 1));
    },
  });
  return {
    peek: (packageId: number, playerId: string) => cache.peek(playerKey(packageId, playerId)),
    find: (packageId: number, playerId: string) => cache.get(playerKey(packageId, playerId)),
    invalidate: (key: string) => cache.delete(key),
    clear: () => cache.clear(),
    /**
     * Runs the changes of a package's players one at a time. A change is refused with `overloaded` if too
     * many changes wait.
     */
    enqueue: createSerialQueuePerKey<number>({ maxWaiting: options.maxWaiting ?? defaultMaxWaiting }),
  };
}
