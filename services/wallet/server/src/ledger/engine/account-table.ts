// The cached accounts of a package. For each account number: the balance, the last sequence, and the time of
// the last change.
import { createFlatTable } from '../flat-table.ts';
import type { AccountState } from '../rules/state.ts';

export interface AccountTable {
  readonly size: number;
  /** The number of accounts with which the table was created. They are never evicted. */
  readonly pinned: number;
  /** The highest `lastSequence` of the evicted accounts; 0 if none was evicted. */
  readonly evictedUpTo: bigint;
  has(id: bigint): boolean;
  get(id: bigint): AccountState | undefined;
  /**
   * The time of the last change of the account; 0 if the time is unknown, as for the package's own accounts.
   */
  getTime(id: bigint): number;
  set(id: bigint, account: AccountState, updatedAtMs?: number): void;
  /**
   * Removes one account that was not used since the last sweep of the table. Returns false at the end of a
   * sweep.
   */
  evict(): boolean;
}

const [balanceAt, sequenceAt, timeAt] = [0, 1, 2];

export function createAccountTable(given: Iterable<[bigint, AccountState]> = []): AccountTable {
  const table = createFlatTable({ keyWords: 2, valueCount: 3, spread: 0x9e3779b1 });
  /**
   * The bytes of the table's key as one 64-bit integer, so that one assignment writes an account number.
   */
  const key = new BigInt64Array(table.key.buffer);
  const find = (id: bigint): number => {
    key[0] = id;
    return table.find();
  };
  const set: AccountTable['set'] = (id, account, updatedAtMs = 0) => {
    key[0] = id;
    const entry = table.add();
    table.setBigint(entry, balanceAt, account.balance);
    table.setBigint(entry, sequenceAt, account.lastSequence);
    table.setNumber(entry, timeAt, updatedAtMs);
  };
  for (const [id, account] of given) set(id, account);
  const pinned = table.size;
  let evictedUpTo = 0n;
  const onEvict = (entry: number) => {
    const sequence = table.getBigint(entry, sequenceAt);
    if (sequence > evictedUpTo) evictedUpTo = sequence;
  };
  return {
    get size() {
      return table.size;
    },
    pinned,
    get evictedUpTo() {
      return evictedUpTo;
    },
    has: (id) => find(id) >= 0,
    get: (id) => {
      const entry = find(id);
      if (entry < 0) return undefined;
      return {
        balance: table.getBigint(entry, balanceAt),
        lastSequence: table.getBigint(entry, sequenceAt),
      };
    },
    getTime: (id) => {
      const entry = find(id);
      return entry < 0 ? 0 : table.getNumber(entry, timeAt);
    },
    set,
    evict: () => table.evict(pinned, onEvict),
  };
}
