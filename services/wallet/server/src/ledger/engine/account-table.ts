// The cached accounts of a package. For each account number: the balance, the last sequence, and the time of
// the last change.
import { createFlatTable } from '../flat-table.ts';
import type { AccountState } from '../rules/state.ts';

export interface AccountTable {
  readonly size: number;
  has(id: bigint): boolean;
  get(id: bigint): AccountState | undefined;
  /**
   * The time of the last change of the account; 0 if the time is unknown, as for the package's own accounts.
   */
  getTime(id: bigint): number;
  set(id: bigint, account: AccountState, updatedAtMs?: number): void;
}

const [balanceAt, sequenceAt, timeAt] = [0, 1, 2];

export function createAccountTable(given: Iterable<[bigint, AccountState]> = []): AccountTable {
  const table = createFlatTable({
    keyWords: 2,
    valueCount: 3,
    firstSlots: 16,
    spread: 0x9e3779b1,
  });
  /**
   * The bytes of the table's key as one 64-bit integer, so that one assignment writes an account number.
   */
  const key = new BigInt64Array(table.key.buffer);
  const find = (id: bigint): number => {
    key[0] = id;
    return table.find();
  };
  const set: AccountTable['set'] = (id, account, updatedAtMs = 0) => {
    if (id === 0n) throw new Error('no account has the number 0');
    key[0] = id;
    const slot = table.add();
    table.setBigint(slot, balanceAt, account.balance);
    table.setBigint(slot, sequenceAt, account.lastSequence);
    table.setNumber(slot, timeAt, updatedAtMs);
  };
  for (const [id, account] of given) set(id, account);
  return {
    get size() {
      return table.size;
    },
    has: (id) => find(id) >= 0,
    get: (id) => {
      const slot = find(id);
      if (slot < 0) return undefined;
      return {
        balance: table.getBigint(slot, balanceAt),
        lastSequence: table.getBigint(slot, sequenceAt),
      };
    },
    getTime: (id) => {
      const slot = find(id);
      return slot < 0 ? 0 : table.getNumber(slot, timeAt);
    },
    set,
  };
}
