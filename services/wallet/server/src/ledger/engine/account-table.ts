// Accounts of a package in flat memory: a million of them would be a burden on the collector as objects.
import type { AccountState } from '../rules/state.ts';

/** Slots of a new table; always a power of two, so that a mask finds the place. */
const firstSlots = 16;
/** How full a table may be before it grows: beyond that, look-ups walk far. */
const maxFill = 0.7;
/** Spreads numbers that follow each other over the table. */
const spread = 0x9e3779b1;

export interface AccountTable {
  readonly size: number;
  has(id: bigint): boolean;
  get(id: bigint): AccountState | undefined;
  /** When it last moved; 0 where nobody has said, as for the package's own. */
  getTime(id: bigint): number;
  set(id: bigint, account: AccountState, updatedAtMs?: number): void;
}

/** A hash table of numbers with the next free slot taken on a collision; 32 bytes a slot. */
export function createAccountTable(given: Iterable<[bigint, AccountState]> = []): AccountTable {
  let slots = firstSlots;
  // No account has the number 0: it marks a slot that is free.
  let ids = new BigInt64Array(slots);
  let values = new BigInt64Array(slots * 2);
  let times = new Float64Array(slots);
  let size = 0;

  /** Where the id stands, or the free slot where it would. */
  const locate = (id: bigint): number => {
    let slot = (Math.imul(Number(id & 0xffffffffn), spread) >>> 0) & (slots - 1);
    for (let found = ids[slot]; found !== 0n && found !== id; found = ids[slot]) {
      slot = (slot + 1) & (slots - 1);
    }
    return slot;
  };

  const put = (slot: number, id: bigint, account: AccountState, updatedAtMs: number) => {
    ids[slot] = id;
    values[slot * 2] = account.balance;
    values[slot * 2 + 1] = account.lastSequence;
    times[slot] = updatedAtMs;
  };

  const grow = () => {
    const [oldIds, oldValues, oldTimes] = [ids, values, times];
    slots *= 2;
    ids = new BigInt64Array(slots);
    values = new BigInt64Array(slots * 2);
    times = new Float64Array(slots);
    for (const [i, id] of oldIds.entries()) {
      if (id === 0n) continue;
      const [balance, lastSequence] = [oldValues[i * 2], oldValues[i * 2 + 1]] as [bigint, bigint];
      put(locate(id), id, { balance, lastSequence }, oldTimes[i] as number);
    }
  };

  const table = {
    get size() {
      return size;
    },
    has: (id: bigint) => ids[locate(id)] !== 0n,
    get: (id: bigint): AccountState | undefined => {
      const slot = locate(id);
      if (ids[slot] === 0n) return undefined;
      return {
        balance: values[slot * 2] as bigint,
        lastSequence: values[slot * 2 + 1] as bigint,
      };
    },
    getTime: (id: bigint): number => times[locate(id)] as number,
    set: (id: bigint, account: AccountState, updatedAtMs = 0) => {
      if (id === 0n) throw new Error('no account has the number 0');
      let slot = locate(id);
      if (ids[slot] === 0n) {
        if (size + 1 > slots * maxFill) {
          grow();
          slot = locate(id);
        }
        size++;
      }
      put(slot, id, account, updatedAtMs);
    },
  };
  for (const [id, account] of given) table.set(id, account);
  return table;
}
