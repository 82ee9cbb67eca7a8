// Finds a player's account number; it never changes, so it is remembered.
import { createCache } from '@counterfoil/kit/cache';
import { createCoalescer } from '@counterfoil/kit/coalesce';
import type { Db, Queryable } from '@counterfoil/kit/db';
import { listen, notify } from '@counterfoil/kit/notifications';
import { selectAccountIds } from './store.ts';

const channel = 'players';

export interface AccountFinder {
  /** From memory at once where possible, which spares the hot path a turn of the event loop. */
  peek(packageId: number, playerId: string): bigint | undefined;
  find(packageId: number, playerId: string): Promise<bigint | undefined>;
  close(): Promise<void>;
}

const keyOf = (packageId: number, playerId: string) => `${packageId}:${playerId}`;

export async function createAccountFinder(options: {
  db: Db;
  directUrl: string;
  onError: (error: Error) => void;
  /** What else is remembered of players. */
  beside?: { forget(key: string): void; clear(): void };
}): Promise<AccountFinder> {
  const load = createCoalescer<string, bigint>({
    maxBatch: 512,
    load: (group, playerIds) => selectAccountIds(options.db, Number(group), playerIds),
  });
  const cache = createCache<bigint>({
    ttlMs: 600_000,
    maxEntries: 500_000,
    load: (key) => {
      const end = key.indexOf(':');
      return load(key.slice(0, end), key.slice(end + 1));
    },
  });
  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (key) => {
      cache.delete(key);
      options.beside?.forget(key);
    },
    onGap: () => {
      cache.clear();
      options.beside?.clear();
    },
    onError: options.onError,
  });
  return {
    peek: (packageId, playerId) => cache.peek(keyOf(packageId, playerId)),
    find: (packageId, playerId) => cache.get(keyOf(packageId, playerId)),
    close: () => listener.close(),
  };
}

/** Said by whoever gives a player another id or status, in the same transaction. */
export async function announcePlayerChange(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<void> {
  await notify(db, channel, keyOf(packageId, playerId));
}
