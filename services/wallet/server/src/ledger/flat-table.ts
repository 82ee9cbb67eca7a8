// A hash table in typed arrays: a million entries as objects would slow down the garbage collector.

/** How full the table may be before it grows; with fewer free slots, searches become long. */
const maxFill = 0.7;

export interface FlatTableOptions {
  /** Length of a key in words of 32 bits. */
  readonly keyWords: number;
  /** Number of 64-bit values of an entry. */
  readonly valueCount: number;
  /** Slots of an empty table: a power of two, so that a mask computes the slot. */
  readonly firstSlots: number;
  /** Odd factor that spreads first words which follow each other; 1 if keys are random. */
  readonly spread: number;
}

/** A slot is valid until the next `add`, `remove` or `clear`. */
export interface FlatTable {
  readonly size: number;
  /** The key that `find`, `add` and `remove` use. A key of zeros only is not allowed. */
  readonly key: Uint32Array<ArrayBuffer>;
  /** The slot of the key; negative if the table does not have it. */
  find(): number;
  /** The slot of the key, which is added if it is new. */
  add(): number;
  remove(): void;
  clear(): void;
  getBigint(slot: number, index: number): bigint;
  setBigint(slot: number, index: number, value: bigint): void;
  getNumber(slot: number, index: number): number;
  setNumber(slot: number, index: number, value: number): void;
}

/** Open addressing: a key whose slot is taken goes to the next free one. */
export function createFlatTable(options: FlatTableOptions): FlatTable {
  const { keyWords, valueCount, firstSlots, spread } = options;
  const key = new Uint32Array(keyWords);
  let size = 0;
  let slots = 0;
  /** Zeros mark a free slot. */
  let keys = new Uint32Array(0);
  let bigints = new BigInt64Array(0);
  /** The same bytes as `bigints`. */
  let numbers = new Float64Array(0);

  const reset = (count: number) => {
    slots = count;
    keys = new Uint32Array(slots * keyWords);
    bigints = new BigInt64Array(slots * valueCount);
    numbers = new Float64Array(bigints.buffer);
  };
  const next = (slot: number) => (slot + 1) & (slots - 1);
  const homeOf = (word: number) => (Math.imul(word, spread) >>> 0) & (slots - 1);
  const isFree = (slot: number): boolean => {
    const at = slot * keyWords;
    for (let i = 0; i < keyWords; i++) if (keys[at + i] !== 0) return false;
    return true;
  };
  const hasRestOfKey = (slot: number): boolean => {
    const at = slot * keyWords;
    for (let i = 1; i < keyWords; i++) if (keys[at + i] !== key[i]) return false;
    return true;
  };
  /** The slot of the key; -1 minus the free slot where it belongs if the table does not have it. */
  const locate = (): number => {
    const first = key[0] as number;
    let slot = homeOf(first);
    for (;;) {
      const found = keys[slot * keyWords];
      if (found === 0 && isFree(slot)) return -1 - slot;
      if (found === first && hasRestOfKey(slot)) return slot;
      slot = next(slot);
    }
  };
  const grow = () => {
    const [oldKeys, oldValues, oldSlots] = [keys, bigints, slots];
    reset(slots * 2);
    for (let old = 0; old < oldSlots; old++) {
      const entryKey = oldKeys.subarray(old * keyWords, (old + 1) * keyWords);
      if (entryKey.every((word) => word === 0)) continue;
      let slot = homeOf(entryKey[0] as number);
      while (!isFree(slot)) slot = next(slot);
      keys.set(entryKey, slot * keyWords);
      const values = oldValues.subarray(old * valueCount, (old + 1) * valueCount);
      bigints.set(values, slot * valueCount);
    }
  };
  /** Moves up the entries that a collision has put after the gap: a search would end at the gap. */
  const closeGap = (from: number) => {
    let gap = from;
    for (let slot = next(gap); !isFree(slot); slot = next(slot)) {
      const home = homeOf(keys[slot * keyWords] as number);
      const isAfterGap = ((slot - home) & (slots - 1)) >= ((slot - gap) & (slots - 1));
      if (!isAfterGap) continue;
      keys.copyWithin(gap * keyWords, slot * keyWords, (slot + 1) * keyWords);
      bigints.copyWithin(gap * valueCount, slot * valueCount, (slot + 1) * valueCount);
      gap = slot;
    }
    keys.fill(0, gap * keyWords, (gap + 1) * keyWords);
    bigints.fill(0n, gap * valueCount, (gap + 1) * valueCount);
  };

  reset(firstSlots);
  return {
    get size() {
      return size;
    },
    key,
    find: locate,
    add: () => {
      const found = locate();
      if (found >= 0) return found;
      if (size + 1 > slots * maxFill) grow();
      const slot = -1 - locate();
      keys.set(key, slot * keyWords);
      size++;
      return slot;
    },
    remove: () => {
      const slot = locate();
      if (slot < 0) return;
      closeGap(slot);
      size--;
    },
    clear: () => {
      reset(firstSlots);
      size = 0;
    },
    getBigint: (slot, index) => bigints[slot * valueCount + index] as bigint,
    setBigint: (slot, index, value) => {
      bigints[slot * valueCount + index] = value;
    },
    getNumber: (slot, index) => numbers[slot * valueCount + index] as number,
    setNumber: (slot, index, value) => {
      numbers[slot * valueCount + index] = value;
    },
  };
}
