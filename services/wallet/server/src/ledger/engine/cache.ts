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

/**
 * The number of accounts that reads may add to a full cache before the next batch evicts them. Without such a
 * limit, a process that only reads would cache every account.
 */
const maxExcess = 10_000;

export interface LedgerCache {
  readonly packages: Map<number, CachedPackage>;
  storeHead(head: Head): CachedPackage;
  /** Whether the cache has fewer accounts than its limit. */
  hasRoom(): boolean;
  /**
   * Caches an account, even if the cache is full. A batch needs all of its accounts at the same time, so none
   * is evicted before the next call of `evictExcess`.
   */
  storeAccount(packageId: number, id: bigint, account: AccountState, updatedAtMs: number): void;
  /**
   * Caches that an account did not exist when it was read. `known` is the cached entry of the package from
   * before the read. If a new entry has replaced `known`, nothing is cached.
   */
  storeAbsent(known: CachedPackage, packageId: number, id: bigint): void;
  /**
   * Caches accounts that were read from the database. `known` is the cached entry of the package from before
   * the read. If a new entry has replaced `known`, nothing is cached. The read may have used a standby that
   * lags, so the caller must first check that the read is not older than `known` and contains the last
   * movements of all evicted accounts. An account that is already cached is not replaced, because this
   * process may have moved its money since the read. If another process has moved money, the next write finds
   * that the whole entry is outdated.
   */
  storeReadAccounts(known: CachedPackage, packageId: number, read: readonly ReadAccount[]): void;
  invalidate(packageId: number): void;
  /**
   * Evicts accounts that were not used for a long time, until the cache is within its limit. Call this method
   * between batches only: the rules treat an account that is not cached as an account that does not exist.
   */
  evictExcess(): void;
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
  const storeAccount: LedgerCache['storeAccount'] = (packageId, id, account, updatedAtMs) => {
    const known = packages.get(packageId);
    if (!known) return;
    const { size } = known.accounts;
    known.accounts.set(id, account, updatedAtMs);
    accounts += known.accounts.size - size;
    // Otherwise the account would count as absent after its eviction.
    if (known.absent.size > 0) known.absent.delete(id);
  };
  const invalidate = (packageId: number) => {
    accounts -= packages.get(packageId)?.accounts.size ?? 0;
    packages.delete(packageId);
  };
  const evictOne = createEviction(packages, invalidate);
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
    hasRoom: () => accounts < limits.maxAccounts,
    storeAccount,
    storeAbsent: (known, packageId, id) => {
      if (packages.get(packageId) !== known) return;
      if (known.absent.size >= maxAbsent) known.absent.clear();
      known.absent.add(id);
    },
    storeReadAccounts: (known, packageId, read) => {
      if (packages.get(packageId) !== known) return;
      for (const { id, state, updatedAt } of read) {
        if (accounts >= limits.maxAccounts + maxExcess) return;
        if (known.accounts.has(id) || state.lastSequence > known.sequence) continue;
        storeAccount(packageId, id, state, updatedAt.getTime());
      }
    },
    invalidate,
    evictExcess: () => {
      while (accounts > limits.maxAccounts && packages.size > 0) if (evictOne()) accounts--;
    },
    findMovement: recent.find,
    storeMovement: recent.add,
  };
}

/**
 * Returns a function that evicts at most one account. It sweeps the accounts of one package after the other.
 * A package that has only its own accounts at the end of a sweep is removed as a whole.
 */
function createEviction(
  packages: ReadonlyMap<number, CachedPackage>,
  remove: (packageId: number) => void,
): () => boolean {
  let entries = packages.entries();
  let swept: readonly [number, CachedPackage] | undefined;
  return () => {
    if (swept && packages.get(swept[0]) === swept[1]) {
      const [packageId, { accounts }] = swept;
      if (accounts.evict()) return true;
      if (accounts.size === accounts.pinned) remove(packageId);
    }
    const next = entries.next();
    if (next.done) entries = packages.entries();
    swept = next.value;
    return false;
  };
}
