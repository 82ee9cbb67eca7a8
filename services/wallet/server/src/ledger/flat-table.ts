// A hash table in typed arrays. A million entries stored as objects would slow down the garbage collector.

/**
 * The share of slots that may be used before the table grows. With fewer free slots, searches become long.
 */
const maxFill = 0.7;

export interface FlatTableOptions {
  /** Length of a key in words of 32 bits. */
  readonly keyWords: number;
  /** Number of 64-bit values of an entry. */
  readonly valueCount: number;
  /** The number of slots of an empty table. It is a power of two, so that a mask computes the slot. */
  readonly firstSlots: number;
  /** An odd factor that spreads consecutive keys over the slots. It is 1 if the keys are random. */
  readonly spread: number;
}

/** A table of entries with one key each. A slot number is valid until the next `add`, `remove` or `clear`. */
export interface FlatTable {
  readonly size: number;
  /**
   * The key that `find`, `add` and `remove` use. At least one of its words must be greater than zero, because
   * a key of zeros marks a free slot.
   */
  readonly key: Uint32Array<ArrayBuffer>;
  /** Returns the slot of the key, or a negative number if the key is not in the table. */
  find(): number;
  /** Returns the slot of the key. A new key is added to the table first. */
  add(): number;
  remove(): void;
  clear(): void;
  getBigint(slot: number, index: number): bigint;
  setBigint(slot: number, index: number, value: bigint): void;
  getNumber(slot: number, index: number): number;
  setNumber(slot: number, index: number, value: number): void;
}

/** The arrays of the table. They are replaced when the table grows. */
interface State {
  readonly key: Uint32Array<ArrayBuffer>;
  readonly keyWords: number;
  readonly valueCount: number;
  readonly spread: number;
  size: number;
  slots: number;
  /** The keys of all slots. A key of zeros marks a free slot. */
  keys: Uint32Array;
  bigints: BigInt64Array;
  /** A view of the same bytes as `bigints`, for values that are floating-point numbers. */
  numbers: Float64Array;
}

/** The table uses open addressing: a key whose slot is occupied is stored in the next free slot. */
export function createFlatTable(options: FlatTableOptions): FlatTable {
  const { keyWords, valueCount, firstSlots, spread } = options;
  const key = new Uint32Array(keyWords);
  const arrays = createArrays(options, firstSlots);
  const state: State = { key, keyWords, valueCount, spread, size: 0, ...arrays };
  return {
    get size() {
      return state.size;
    },
    key,
    find: () => locate(state),
    add: () => add(state),
    remove: () => remove(state),
    clear: () => {
      Object.assign(state, createArrays(state, firstSlots));
      state.size = 0;
    },
    getBigint: (slot, index) => state.bigints[slot * valueCount + index] as bigint,
    setBigint: (slot, index, value) => {
      state.bigints[slot * valueCount + index] = value;
    },
    getNumber: (slot, index) => state.numbers[slot * valueCount + index] as number,
    setNumber: (slot, index, value) => {
      state.numbers[slot * valueCount + index] = value;
    },
  };
}

function createArrays(
  { keyWords, valueCount }: Pick<State, 'keyWords' | 'valueCount'>,
  slots: number,
): Pick<State, 'slots' | 'keys' | 'bigints' | 'numbers'> {
  const bigints = new BigInt64Array(slots * valueCount);
  const numbers = new Float64Array(bigints.buffer);
  return { slots, keys: new Uint32Array(slots * keyWords), bigints, numbers };
}

const nextSlot = ({ slots }: State, slot: number): number => (slot + 1) & (slots - 1);

const homeOf = ({ slots, spread }: State, word: number): number =>
  (Math.imul(word, spread) >>> 0) & (slots - 1);

function isFree({ keys, keyWords }: State, slot: number): boolean {
  const at = slot * keyWords;
  for (let i = 0; i < keyWords; i++) if (keys[at + i] !== 0) return false;
  return true;
}

function hasRestOfKey({ key, keys, keyWords }: State, slot: number): boolean {
  const at = slot * keyWords;
  for (let i = 1; i < keyWords; i++) if (keys[at + i] !== key[i]) return false;
  return true;
}

/**
 * The slot of the key. If the table does not contain the key, the result is -1 minus the number of the free
 * slot for the key.
 */
function locate(state: State): number {
  const { key, keys, keyWords } = state;
  const first = key[0] as number;
  let slot = homeOf(state, first);
  for (;;) {
    const found = keys[slot * keyWords];
    if (found === 0 && isFree(state, slot)) return -1 - slot;
    if (found === first && hasRestOfKey(state, slot)) return slot;
    slot = nextSlot(state, slot);
  }
}

function add(state: State): number {
  const found = locate(state);
  if (found >= 0) return found;
  if (state.size + 1 > state.slots * maxFill) grow(state);
  const slot = -1 - locate(state);
  state.keys.set(state.key, slot * state.keyWords);
  state.size++;
  return slot;
}

function grow(state: State): void {
  const { keyWords, valueCount } = state;
  const old = { ...state };
  Object.assign(state, createArrays(state, old.slots * 2));
  for (let from = 0; from < old.slots; from++) {
    if (isFree(old, from)) continue;
    let slot = homeOf(state, old.keys[from * keyWords] as number);
    while (!isFree(state, slot)) slot = nextSlot(state, slot);
    state.keys.set(old.keys.subarray(from * keyWords, (from + 1) * keyWords), slot * keyWords);
    const values = old.bigints.subarray(from * valueCount, (from + 1) * valueCount);
    state.bigints.set(values, slot * valueCount);
  }
}

function remove(state: State): void {
  const slot = locate(state);
  if (slot < 0) return;
  closeGap(state, slot);
  state.size--;
}

/**
 * Fills the gap that a removed entry leaves. A search ends at the first free slot. So an entry after the gap
 * would not be found if its search starts at or before the gap. The first such entry is moved into the gap.
 * Its old slot is the next gap, which is filled in the same way.
 */
function closeGap(state: State, from: number): void {
  const { keys, bigints, keyWords, valueCount, slots } = state;
  let gap = from;
  for (let slot = nextSlot(state, gap); !isFree(state, slot); slot = nextSlot(state, slot)) {
    const home = homeOf(state, keys[slot * keyWords] as number);
    const isAfterGap = ((slot - home) & (slots - 1)) >= ((slot - gap) & (slots - 1));
    if (!isAfterGap) continue;
    keys.copyWithin(gap * keyWords, slot * keyWords, (slot + 1) * keyWords);
    bigints.copyWithin(gap * valueCount, slot * valueCount, (slot + 1) * valueCount);
    gap = slot;
  }
  keys.fill(0, gap * keyWords, (gap + 1) * keyWords);
  bigints.fill(0n, gap * valueCount, (gap + 1) * valueCount);
}
