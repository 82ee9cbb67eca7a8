// What a process remembers of the ledger between batches: enough to decide, never enough to be trusted.

import type { Movement } from '../rules/movement.ts';
import type { AccountState } from '../rules/state.ts';
import type { Head } from '../store/ledger-store.ts';
import { type AccountTable, createAccountTable } from './account-table.ts';
import { createGameMemory, type KeptGames } from './game-memory.ts';
import { createRecentMovements, type RecentMovements } from './recent-movements.ts';

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

export interface ReadAccount {
  readonly id: bigint;
  readonly state: AccountState;
  readonly updatedAt: Date;
}

/** As much of memory is for what is read ahead. */
const readPart = 0.9;

export interface LedgerMemory {
  readonly packages: Map<number, PackageMemory>;
  remember(head: Head): PackageMemory;
  /** Whether there is room for what nobody has asked for yet: a full memory starts over. */
  hasRoom(): boolean;
  rememberAccount(packageId: number, id: bigint, account: AccountState, updatedAtMs: number): void;
  /**
   * Keeps accounts that were read while `known` was what is remembered of the package, by somebody who
   * saw at least as much of the journal (a connection may lead to a standby that is behind). Whatever
   * this process has moved since is in it already, and whatever anybody else has moved makes the next
   * write find all of it old: so what is absent can be taken as it was read.
   */
  rememberRead(known: PackageMemory, packageId: number, read: readonly ReadAccount[]): void;
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
  const hasRoom = () => accounts < limits.maxAccounts * readPart;
  const rememberAccount: LedgerMemory['rememberAccount'] = (packageId, id, account, time) => {
    const memory = packages.get(packageId);
    if (!memory) return;
    if (!memory.accounts.has(id)) accounts++;
    memory.accounts.set(id, account, time);
    if (accounts <= limits.maxAccounts) return;
    // Rare and cheap: start over rather than track the use of every account.
    packages.clear();
    accounts = 0;
  };
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
    hasRoom,
    rememberAccount,
    rememberRead: (known, packageId, read) => {
      if (packages.get(packageId) !== known) return;
      for (const { id, state, updatedAt } of read) {
        if (!hasRoom()) return;
        if (known.accounts.has(id) || state.lastSequence > known.sequence) continue;
        rememberAccount(packageId, id, state, updatedAt.getTime());
      }
    },
    forget: (packageId) => {
      accounts -= packages.get(packageId)?.accounts.size ?? 0;
      packages.delete(packageId);
    },
    findMovement: recent.find,
    rememberMovement: recent.add,
  };
}
