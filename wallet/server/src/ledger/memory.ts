// What a process remembers of the ledger between batches: enough to decide, never enough to be trusted.
import { type AccountTable, createAccountTable } from './account-table.ts';
import { createGameMemory, type KeptGames } from './game-memory.ts';
import type { Movement } from './movement.ts';
import { createRecentMovements, type RecentMovements } from './recent-movements.ts';
import type { AccountState } from './state.ts';
import type { Head } from './store.ts';

/**
 * A package as of one sequence. A batch decided on it is written only if the head still stands
 * there, so being wrong costs a retry and nothing else.
 */
export interface PackageMemory {
  sequence: bigint;
  hash: Buffer;
  readonly accounts: AccountTable;
  readonly games: KeptGames;
}

export interface LedgerMemory {
  readonly packages: Map<number, PackageMemory>;
  remember(head: Head): PackageMemory;
  rememberAccount(packageId: number, id: bigint, account: AccountState): void;
  forget(packageId: number): void;
  /** Movements seen lately; they never change, so a repeat can be answered from here. */
  findMovement: RecentMovements['find'];
  rememberMovement(movement: Movement): void;
}

export function createMemory(limits: {
  maxAccounts: number;
  maxMovements: number;
  maxGames: number;
}): LedgerMemory {
  const packages = new Map<number, PackageMemory>();
  const recent = createRecentMovements(limits.maxMovements);
  let accounts = 0;
  return {
    packages,
    remember: (head) => {
      const memory = {
        sequence: head.sequence,
        hash: head.hash,
        accounts: createAccountTable(head.accounts),
        games: createGameMemory(limits.maxGames),
      };
      accounts -= packages.get(head.packageId)?.accounts.size ?? 0;
      accounts += memory.accounts.size;
      packages.set(head.packageId, memory);
      return memory;
    },
    rememberAccount: (packageId, id, account) => {
      const memory = packages.get(packageId);
      if (!memory) return;
      if (!memory.accounts.has(id)) accounts++;
      memory.accounts.set(id, account);
      if (accounts <= limits.maxAccounts) return;
      // Rare and cheap: start over rather than track the use of every account.
      packages.clear();
      accounts = 0;
    },
    forget: (packageId) => {
      accounts -= packages.get(packageId)?.accounts.size ?? 0;
      packages.delete(packageId);
    },
    findMovement: recent.find,
    rememberMovement: recent.add,
  };
}
