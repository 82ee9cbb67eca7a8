// Finds a player's account number; it never changes, so it is remembered until the player does.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import { listen, notify } from '@counterfoil/kit/postgres/notifications';
import { countPlayerChange } from '../ledger/accounts.ts';
import type { Ledger } from '../ledger/engine/ledger.ts';
import { createAccountDirectory } from './account-directory.ts';
import { type FoundAccount, type FoundAccounts, selectAccountsOfPlayers } from './queries.ts';

const channel = 'players';

/** So many fit into the slots of a directory without growing once more: about 50 MB. */
const usualMaxEntries = 1_400_000;

export interface AccountFinder {
  /** From memory at once where possible, which spares the hot path a turn of the event loop. */
  peek(packageId: number, playerId: string): bigint | undefined;
  find(packageId: number, playerId: string): Promise<bigint | undefined>;
  /** Remembers what `read` finds, here and in the ledger, unless it changes meanwhile. */
  learn(packageId: number, read: () => Promise<FoundAccounts>): Promise<readonly FoundAccount[]>;
  /** How many are remembered, and how many can be. */
  readonly size: () => number;
  readonly maxEntries: number;
  close(): Promise<void>;
}

const keyOf = (packageId: number, playerId: string) => `${packageId}:${playerId}`;

/** What was told to have changed while something was read: the reading may be of before. */
interface Reading {
  readonly changed: Set<string>;
  isOld: boolean;
}

export async function createAccountFinder(options: {
  db: Db;
  directUrl: string;
  onError: (error: Error) => void;
  /** What is read of an account beside its number is of use there. */
  ledger: Pick<Ledger, 'beginReading'>;
  /** What else is remembered of players. */
  beside?: { forget(key: string): void; clear(): void };
  maxEntries?: number;
}): Promise<AccountFinder> {
  const { db, ledger, maxEntries = usualMaxEntries } = options;
  const directory = createAccountDirectory(maxEntries);
  const readings = new Set<Reading>();

  const learn: AccountFinder['learn'] = async (packageId, read) => {
    const reading: Reading = { changed: new Set(), isOld: false };
    readings.add(reading);
    const keep = ledger.beginReading(packageId);
    try {
      const found = await read();
      keep(found);
      for (const { playerId, id } of found.accounts) {
        const key = keyOf(packageId, playerId);
        if (!reading.isOld && !reading.changed.has(key)) directory.set(key, id);
      }
      return found.accounts;
    } finally {
      readings.delete(reading);
    }
  };

  const load = createCoalescer<string, bigint>({
    maxBatch: 512,
    load: async (group, playerIds) => {
      const packageId = Number(group);
      const found = await learn(packageId, () => selectAccountsOfPlayers(db, packageId, playerIds));
      const ids = new Map(found.map(({ playerId, id }) => [playerId, id]));
      return playerIds.map((playerId) => ids.get(playerId));
    },
  });
  const peek = (packageId: number, playerId: string) => directory.get(keyOf(packageId, playerId));

  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (key) => {
      directory.delete(key);
      for (const reading of readings) reading.changed.add(key);
      options.beside?.forget(key);
    },
    onGap: () => {
      directory.clear();
      for (const reading of readings) reading.isOld = true;
      options.beside?.clear();
    },
    onError: options.onError,
  });
  return {
    peek,
    find: async (packageId, playerId) =>
      peek(packageId, playerId) ?? load(String(packageId), playerId),
    learn,
    size: () => directory.size,
    maxEntries,
    close: () => listener.close(),
  };
}

/**
 * Said by whoever gives a player another id or status, in the same transaction and last of all: from
 * here to the commit the package's money waits.
 */
export async function announcePlayerChange(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<void> {
  await notify(db, channel, keyOf(packageId, playerId));
  await countPlayerChange(db, packageId);
}
