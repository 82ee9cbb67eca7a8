// Finds a player's account number, which is cached until the player changes.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import { listen, notify } from '@counterfoil/kit/postgres/notifications';
import { countPlayerChange } from '../ledger/accounts.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { createAccountDirectory } from './account-directory.ts';
import { playerKey, type StatusFinder } from './find-status.ts';
import { type FoundAccounts, selectAccountsOfPlayers } from './queries.ts';

const channel = 'players';

/** The default of the setting `PLAYERS_IN_MEMORY`. */
const defaultMaxEntries = 1_200_000;

export type AccountFinder = Awaited<ReturnType<typeof createAccountFinder>>;

/**
 * A query that is running. `changed` contains the players that have changed since the query started. The rows
 * of these players may be outdated.
 */
interface Reading {
  readonly changed: Set<string>;
  /** Whether notifications were lost during the query. If true, every row may be outdated. */
  isOutdated: boolean;
}

interface Options {
  readonly db: Db;
  readonly directUrl: string;
  readonly onError: (error: Error) => void;
  /** Gets the balances that are read together with the account numbers, and caches them. */
  readonly ledger: Pick<Ledger, 'beginReading'>;
  /** The cache of the players' statuses, which is invalidated together with this cache. */
  readonly statuses?: Pick<StatusFinder, 'invalidate' | 'clear'>;
  readonly maxEntries?: number;
}

export async function createAccountFinder(options: Options) {
  const { db, ledger, maxEntries = defaultMaxEntries } = options;
  const directory = createAccountDirectory(maxEntries);
  const readings = new Set<Reading>();

  const load = async (packageId: number, read: () => Promise<FoundAccounts>) => {
    const reading: Reading = { changed: new Set(), isOutdated: false };
    readings.add(reading);
    const cacheRead = ledger.beginReading(packageId);
    try {
      const found = await read();
      cacheRead(found);
      for (const { playerId, id } of found.accounts) {
        const key = playerKey(packageId, playerId);
        if (!reading.isOutdated && !reading.changed.has(key)) directory.set(key, id);
      }
      return found.accounts;
    } finally {
      readings.delete(reading);
    }
  };

  const loadOne = createCoalescer<string, bigint>({
    maxBatch: 512,
    load: async (group, playerIds) => {
      const packageId = Number(group);
      const found = await load(packageId, () => selectAccountsOfPlayers(db, packageId, playerIds));
      const ids = new Map(found.map(({ playerId, id }) => [playerId, id]));
      return playerIds.map((playerId) => ids.get(playerId));
    },
  });
  const peek = (packageId: number, playerId: string) => directory.get(playerKey(packageId, playerId));

  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (key) => {
      directory.delete(key);
      for (const reading of readings) reading.changed.add(key);
      options.statuses?.invalidate(key);
    },
    onGap: () => {
      directory.clear();
      for (const reading of readings) reading.isOutdated = true;
      options.statuses?.clear();
    },
    onError: options.onError,
  });
  return {
    /** Finds an account in memory only. On the hot path this saves one pass of the event loop. */
    peek,
    find: async (packageId: number, playerId: string) =>
      peek(packageId, playerId) ?? loadOne(String(packageId), playerId),
    /**
     * Caches the accounts that `read` returns, here and in the ledger. The account number of a player who
     * changes during the read is not cached.
     */
    load,
    /** The number of cached accounts. `maxEntries` is its limit. */
    size: () => directory.size,
    maxEntries,
    close: () => listener.close(),
  };
}

/**
 * Announces that a player's id, status or maximum stake has changed. Call this function last in the
 * transaction of the change. All movements of the package wait from this call to the commit.
 */
export async function announcePlayerChange(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<void> {
  await notify(db, channel, playerKey(packageId, playerId));
  await countPlayerChange(db, packageId);
}
