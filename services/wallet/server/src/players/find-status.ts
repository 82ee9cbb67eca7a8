// Whether a player is blocked, from memory where possible: every bet asks.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db } from '@counterfoil/kit/postgres/db';
import { createSerialQueuePerKey, type SerialQueuePerKey } from '../serial-queue.ts';
import type { PlayerStatus } from './player.ts';
import { selectStatuses } from './queries.ts';

/**
 * The safety net behind the word of a change, which arrives in a moment, over a connection that is
 * asked every two seconds whether it still stands: should it be lost all the same, a block holds
 * everywhere after this long.
 */
const ttlMs = 5 * 60_000;

/** Players who bet are looked up again before that, hundreds in a query, and no bet waits for it. */
const renew = { afterMs: 4 * 60_000, everyMs: 100 };

/**
 * Changes of one package wait for one another in the database anyway, at a player's row or the package's
 * head: there each would hold a connection, and hundreds would leave none for money.
 */
const usualWaiting = 128;

export interface StatusFinder {
  peek(packageId: number, playerId: string): PlayerStatus | undefined;
  find(packageId: number, playerId: string): Promise<PlayerStatus | undefined>;
  forget(key: string): void;
  clear(): void;
  /** Changes of a package's players: one at a time, and beyond a bound `overloaded` at once. */
  readonly inTurn: SerialQueuePerKey<number>;
}

export const playerKey = (packageId: number, playerId: string) => `${packageId}:${playerId}`;

export function createStatusFinder(options: {
  db: Db;
  maxWaiting?: number;
  /** The clock by which memory ages. */
  monotonicMs?: () => number;
}): StatusFinder {
  const { monotonicMs = () => performance.now() } = options;
  const load = createCoalescer<string, PlayerStatus>({
    maxBatch: 512,
    load: (group, playerIds) => selectStatuses(options.db, Number(group), playerIds),
  });
  const cache = createCache<PlayerStatus>({
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
    peek: (packageId, playerId) => cache.peek(playerKey(packageId, playerId)),
    find: (packageId, playerId) => cache.get(playerKey(packageId, playerId)),
    forget: (key) => cache.delete(key),
    clear: () => cache.clear(),
    inTurn: createSerialQueuePerKey({ maxWaiting: options.maxWaiting ?? usualWaiting }),
  };
}
