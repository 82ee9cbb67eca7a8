// Account numbers of players in flat memory: as strings in a map, a million of them would burden the collector.
import { hash } from 'node:crypto';

/** Slots of a new directory; always a power of two, so that a mask finds the place. */
const firstSlots = 1024;
/** How full it may be before it grows: beyond that, look-ups walk far. */
const maxFill = 0.7;
/** Words of a key: half of SHA-256, as for the ids of movements. */
const words = 4;

export interface AccountDirectory {
  readonly size: number;
  get(key: string): bigint | undefined;
  set(key: string, account: bigint): void;
  delete(key: string): void;
  clear(): void;
}

/** A hash table with the next free slot taken on a collision; 24 bytes a slot. Full, it starts over. */
export function createAccountDirectory(maxEntries: number): AccountDirectory {
  let slots = firstSlots;
  let keys = new Uint32Array(slots * words);
  // No account has the number 0: it marks a slot that is free.
  let accounts = new Float64Array(slots);
  let size = 0;
  const wanted = new Uint32Array(words);

  const digest = (key: string) => {
    const bytes = hash('sha256', key, 'buffer');
    for (let i = 0; i < words; i++) wanted[i] = bytes.readUInt32LE(i * 4);
  };

  const isWanted = (slot: number): boolean => {
    const at = slot * words;
    return (
      keys[at] === wanted[0] &&
      keys[at + 1] === wanted[1] &&
      keys[at + 2] === wanted[2] &&
      keys[at + 3] === wanted[3]
    );
  };

  /** Where the wanted key stands, or the free slot where it would. */
  const locate = (): number => {
    let slot = (wanted[0] as number) & (slots - 1);
    while (accounts[slot] !== 0 && !isWanted(slot)) slot = (slot + 1) & (slots - 1);
    return slot;
  };

  const reset = (count: number) => {
    slots = count;
    keys = new Uint32Array(slots * words);
    accounts = new Float64Array(slots);
  };

  const grow = () => {
    const [oldKeys, oldAccounts] = [keys, accounts];
    reset(slots * 2);
    for (let i = 0; i < oldAccounts.length; i++) {
      const account = oldAccounts[i] as number;
      if (account === 0) continue;
      let slot = (oldKeys[i * words] as number) & (slots - 1);
      while (accounts[slot] !== 0) slot = (slot + 1) & (slots - 1);
      for (let w = 0; w < words; w++) keys[slot * words + w] = oldKeys[i * words + w] as number;
      accounts[slot] = account;
    }
  };

  /** What stands behind a gap and was pushed there by a collision moves up, or it would be lost. */
  const closeGap = (from: number) => {
    let gap = from;
    for (
      let slot = (gap + 1) & (slots - 1);
      accounts[slot] !== 0;
      slot = (slot + 1) & (slots - 1)
    ) {
      const home = (keys[slot * words] as number) & (slots - 1);
      const isBehind = ((slot - home) & (slots - 1)) >= ((slot - gap) & (slots - 1));
      if (!isBehind) continue;
      keys.copyWithin(gap * words, slot * words, (slot + 1) * words);
      accounts[gap] = accounts[slot] as number;
      gap = slot;
    }
    accounts[gap] = 0;
  };

  return {
    get size() {
      return size;
    },
    get: (key) => {
      digest(key);
      const account = accounts[locate()] as number;
      return account === 0 ? undefined : BigInt(account);
    },
    set: (key, account) => {
      const number = Number(account);
      if (!Number.isSafeInteger(number) || number <= 0) throw new Error(`no account ${account}`);
      digest(key);
      let slot = locate();
      if (accounts[slot] === 0) {
        if (size >= maxEntries) {
          reset(firstSlots);
          size = 0;
        } else if (size + 1 > slots * maxFill) grow();
        slot = locate();
        size++;
      }
      keys.set(wanted, slot * words);
      accounts[slot] = number;
    },
    delete: (key) => {
      digest(key);
      const slot = locate();
      if (accounts[slot] === 0) return;
      closeGap(slot);
      size--;
    },
    clear: () => {
      reset(firstSlots);
      size = 0;
    },
  };
}
