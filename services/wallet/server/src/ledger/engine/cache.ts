// The ledger state that a process caches between batches. A batch decided on outdated state is not written.
import type { Movement } from '../rules/movement.ts';
import type { AccountState } from '../rules/state.ts';
import type { Head } from '../store/ledger-store.ts';
import { type AccountTable, createAccountTable } from './account-table.ts';
import { createGameCache, type GameCache } from './game-cache.ts';
import { createRecentMovements, type RecentMovements } from './recent-movements.ts';

/**
 * The state of a package at one sequence of its journal. A batch that was decided on this state is written
 * only if the journal head still has this sequence and hash. So an outdated entry costs only a retry.
 */
export interface CachedPackage {
  sequence: bigint;
  hash: Buffer;
  readonly accounts: AccountTable;
  /**
   * Accounts that did not exist when they were read. Their balance is 0 at `sequence`, because an account
   * gets money only by a movement, and a movement of another process makes the whole entry outdated. If an
   * account is also in `accounts`, it was opened after that read.
   */
  readonly absent: Set<bigint>;
  readonly games: GameCache;
}

/**
 * A set of absent accounts that has reached this size is cleared. The database is then asked for these
 * accounts again.
 */
const maxAbsent = 100_000;

export interface ReadAccount {
  readonly id: bigint;
  readonly state: AccountState;
  readonly updatedAt: Date;
}

/** The share of the cache that may be filled with preloaded accounts, which no order has needed yet. */
const readAheadShare = 0.9;

export interface LedgerCache {
  readonly packages: Map<number, CachedPackage>;
  storeHead(head: Head): CachedPackage;
  /** Whether more accounts may be preloaded. Preloading into a full cache would clear the cache. */
  hasRoom(): boolean;
  storeAccount(packageId: number, id: bigint, account: AccountState, updatedAtMs: number): void;
  /**
   * Caches that an account did not exist when it was read. `known` is the cached entry of the package from
   * before the read. If a new entry has replaced `known`, nothing is cached.
   */
  storeAbsent(known: CachedPackage, packageId: number, id: bigint): void;
  /**
   * Caches accounts that were read from the database, while there is room. `known` is the cached entry of the
   * package from before the read. If a new entry has replaced `known`, nothing is cached. The read may have
   * used a standby that lags, so the caller must first check that the read is not older than `known`. An
   * account that is already cached is not replaced, because this process may have moved its money since the
   * read. If another process has moved money, the next write finds that the whole entry is outdated.
   */
  storeReadAccounts(known: CachedPackage, packageId: number, read: readonly ReadAccount[]): void;
  invalidate(packageId: number): void;
  /** Finds a recent transfer. Transfers never change, so repeats are answered from the cache. */
  findMovement: RecentMovements['find'];
  storeMovement(movement: Movement): void;
}

export function createLedgerCache(limits: {
  maxAccounts: number;
  maxMovements: number;
  maxGames: number;
}): LedgerCache {
  const packages = new Map<number, CachedPackage>();
  const recent = createRecentMovements(limits.maxMovements);
  let accounts = 0;
  const hasRoom = () => accounts < limits.maxAccounts * readAheadShare;
  const storeAccount: LedgerCache['storeAccount'] = (packageId, id, account, updatedAtMs) => {
    const known = packages.get(packageId);
    if (!known) return;
    if (!known.accounts.has(id)) accounts++;
    known.accounts.set(id, account, updatedAtMs);
    if (accounts <= limits.maxAccounts) return;
    // Clears the whole cache, which happens rarely. To evict single accounts, the cache would have to store
    // the time of each account's last use.
    packages.clear();
    accounts = 0;
  };
  return {
    packages,
    storeHead: (head) => {
      const known = {
        sequence: head.sequence,
        hash: head.hash,
        accounts: createAccountTable(head.accounts),
        absent: new Set<bigint>(),
        games: createGameCache(limits.maxGames),
      };
      accounts -= packages.get(head.packageId)?.accounts.size ?? 0;
      accounts += known.accounts.size;
      packages.set(head.packageId, known);
      return known;
    },
    hasRoom,
    storeAccount,
    storeAbsent: (known, packageId, id) => {
      if (packages.get(packageId) !== known) return;
      if (known.absent.size >= maxAbsent) known.absent.clear();
      known.absent.add(id);
    },
    storeReadAccounts: (known, packageId, read) => {
      if (packages.get(packageId) !== known) return;
      for (const { id, state, updatedAt } of read) {
        if (!hasRoom()) return;
        if (known.accounts.has(id) || state.lastSequence > known.sequence) continue;
        storeAccount(packageId, id, state, updatedAt.getTime());
      }
    },
    invalidate: (packageId) => {
      accounts -= packages.get(packageId)?.accounts.size ?? 0;
      packages.delete(packageId);
    },
    findMovement: recent.find,
    storeMovement: recent.add,
  };
}
