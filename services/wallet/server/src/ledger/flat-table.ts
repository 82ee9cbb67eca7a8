// A hash table in typed arrays. A million entries stored as objects would slow down the garbage collector.

/**
 * The share of index slots that may be used before the index grows. With fewer free slots, searches become
 * long.
 */
const maxFill = 0.7;
const firstSlots = 16;
/**
 * The number of entries in a chunk. A table grows by whole chunks, so its entries are never copied. Only the
 * first chunk starts smaller and doubles, because a process may have thousands of small tables.
 */
const chunkEntries = 2 ** 14;
const chunkShift = Math.log2(chunkEntries);
const firstChunkEntries = 16;

export interface FlatTableOptions {
  /** Length of a key in words of 32 bits. */
  readonly keyWords: number;
  /** Number of 64-bit values of an entry. */
  readonly valueCount: number;
  /** An odd factor that spreads consecutive keys over the slots. It is 1 if the keys are random. */
  readonly spread: number;
}

/**
 * A table of entries with one key each. The number of an entry is valid until the next `remove`, `evict` or
 * `clear`.
 */
export interface FlatTable {
  readonly size: number;
  /** The key that `find`, `add` and `remove` use. */
  readonly key: Uint32Array<ArrayBuffer>;
  /** Returns the number of the key's entry, or -1. Marks the entry as used. */
  find(): number;
  /** Returns the number of the key's entry. A new key is added first; its entry is not marked as used. */
  add(): number;
  remove(): void;
  /**
   * Removes one entry that was not used since the last sweep of the table. A sweep starts at the newest
   * entry, and removes the mark of each entry that it passes. Returns false at the end of a sweep; the next
   * call then starts a new sweep. The first `pinned` entries that were added to the table are never evicted.
   * `onEvict` is called before the entry is removed.
   */
  evict(pinned: number, onEvict?: (entry: number) => void): boolean;
  clear(): void;
  getBigint(entry: number, index: number): bigint;
  setBigint(entry: number, index: number, value: bigint): void;
  getNumber(entry: number, index: number): number;
  setNumber(entry: number, index: number, value: number): void;
}

interface Chunk {
  readonly keys: Uint32Array;
  readonly bigints: BigInt64Array;
  /** A view of the same bytes as `bigints`, for values that are floating-point numbers. */
  readonly numbers: Float64Array;
  /** 1 if the entry was used since the last sweep. */
  readonly marks: Uint8Array;
}

interface State {
  readonly key: Uint32Array<ArrayBuffer>;
  readonly keyWords: number;
  readonly valueCount: number;
  readonly spread: number;
  /** The entries have the numbers 0 to `size` - 1. */
  size: number;
  chunks: Chunk[];
  /** Entry numbers plus 1, in the order of the keys' hashes. 0 marks a free slot. */
  index: Uint32Array;
  /** The entry that the sweep of `evict` examines next. */
  hand: number;
}

/**
 * Entries are stored without gaps, in the order in which they were added. An index with open addressing finds
 * them: a key whose slot is occupied is in the next free slot.
 */
export function createFlatTable(options: FlatTableOptions): FlatTable {
  const { keyWords, valueCount } = options;
  const key = new Uint32Array(keyWords);
  const state: State = { ...options, key, ...createEmpty(options) };
  return {
    get size() {
      return state.size;
    },
    key,
    find: () => find(state),
    add: () => add(state),
    remove: () => {
      const slot = locate(state);
      if (state.index[slot] !== 0) removeAt(state, slot);
    },
    evict: (pinned, onEvict) => evict(state, pinned, onEvict),
    clear: () => void Object.assign(state, createEmpty(state)),
    getBigint: (entry, index) => chunkOf(state, entry).bigints[at(entry) * valueCount + index] as bigint,
    setBigint: (entry, index, value) => {
      chunkOf(state, entry).bigints[at(entry) * valueCount + index] = value;
    },
    getNumber: (entry, index) => chunkOf(state, entry).numbers[at(entry) * valueCount + index] as number,
    setNumber: (entry, index, value) => {
      chunkOf(state, entry).numbers[at(entry) * valueCount + index] = value;
    },
  };
}

type Layout = Pick<State, 'keyWords' | 'valueCount'>;

const createEmpty = (layout: Layout): Pick<State, 'size' | 'chunks' | 'index' | 'hand'> => ({
  size: 0,
  chunks: [createChunk(layout, firstChunkEntries)],
  index: new Uint32Array(firstSlots),
  hand: -1,
});

function createChunk({ keyWords, valueCount }: Layout, entries: number): Chunk {
  const bigints = new BigInt64Array(entries * valueCount);
  const numbers = new Float64Array(bigints.buffer);
  return { keys: new Uint32Array(entries * keyWords), bigints, numbers, marks: new Uint8Array(entries) };
}

const chunkOf = ({ chunks }: State, entry: number): Chunk => chunks[entry >>> chunkShift] as Chunk;

/** The position of an entry in its chunk. */
const at = (entry: number): number => entry & (chunkEntries - 1);

const nextSlot = ({ index }: State, slot: number): number => (slot + 1) & (index.length - 1);

const homeOf = ({ index, spread }: State, word: number): number =>
  (Math.imul(word, spread) >>> 0) & (index.length - 1);

const homeOfEntry = (state: State, entry: number): number =>
  homeOf(state, chunkOf(state, entry).keys[at(entry) * state.keyWords] as number);

function hasKey(state: State, entry: number): boolean {
  const { key, keyWords } = state;
  const { keys } = chunkOf(state, entry);
  const from = at(entry) * keyWords;
  for (let i = 0; i < keyWords; i++) if (keys[from + i] !== key[i]) return false;
  return true;
}

/** The slot that has the key's entry, or the free slot in which the entry can be stored. */
function locate(state: State): number {
  const { index } = state;
  let slot = homeOf(state, state.key[0] as number);
  for (;;) {
    const number = index[slot] as number;
    if (number === 0 || hasKey(state, number - 1)) return slot;
    slot = nextSlot(state, slot);
  }
}

function find(state: State): number {
  const entry = (state.index[locate(state)] as number) - 1;
  if (entry >= 0) chunkOf(state, entry).marks[at(entry)] = 1;
  return entry;
}

function add(state: State): number {
  const found = find(state);
  if (found >= 0) return found;
  if (state.size + 1 > state.index.length * maxFill) growIndex(state);
  const entry = state.size++;
  if (at(entry) === 0 && entry > 0) addChunk(state, entry >>> chunkShift);
  else if (entry < chunkEntries) growFirstChunk(state, entry);
  const chunk = chunkOf(state, entry);
  chunk.keys.set(state.key, at(entry) * state.keyWords);
  chunk.marks[at(entry)] = 0;
  state.index[locateFree(state, entry)] = entry + 1;
  return entry;
}

/** The free slot in which the number of a new entry is stored. */
function locateFree(state: State, entry: number): number {
  let slot = homeOfEntry(state, entry);
  while (state.index[slot] !== 0) slot = nextSlot(state, slot);
  return slot;
}

function growIndex(state: State): void {
  state.index = new Uint32Array(state.index.length * 2);
  for (let entry = 0; entry < state.size; entry++) state.index[locateFree(state, entry)] = entry + 1;
}

function addChunk(state: State, number: number): void {
  state.chunks[number] ??= createChunk(state, chunkEntries);
}

function growFirstChunk(state: State, entry: number): void {
  const old = state.chunks[0] as Chunk;
  if (entry < old.marks.length) return;
  const chunk = createChunk(state, old.marks.length * 2);
  chunk.keys.set(old.keys);
  chunk.bigints.set(old.bigints);
  chunk.marks.set(old.marks);
  state.chunks[0] = chunk;
}

function removeAt(state: State, slot: number): void {
  const entry = (state.index[slot] as number) - 1;
  closeGap(state, slot);
  const last = --state.size;
  if (entry !== last) moveEntry(state, last, entry);
  // One empty chunk is kept, so that a table whose size stays near a multiple of `chunkEntries` does not
  // allocate a chunk again and again.
  const chunksInUse = Math.ceil(state.size / chunkEntries);
  if (state.chunks.length > chunksInUse + 1) state.chunks.pop();
}

/**
 * Fills the gap that a removed number leaves in the index. A search ends at the first free slot. So an entry
 * after the gap would not be found if its search starts at or before the gap. The first such number is moved
 * into the gap. Its old slot is the next gap, which is filled in the same way.
 */
function closeGap(state: State, from: number): void {
  const { index } = state;
  const last = index.length - 1;
  let gap = from;
  for (let slot = nextSlot(state, gap); index[slot] !== 0; slot = nextSlot(state, slot)) {
    const home = homeOfEntry(state, (index[slot] as number) - 1);
    const isAfterGap = ((slot - home) & last) >= ((slot - gap) & last);
    if (!isAfterGap) continue;
    index[gap] = index[slot] as number;
    gap = slot;
  }
  index[gap] = 0;
}

/** Moves the entry `from` to the number `to`, which no entry has. */
function moveEntry(state: State, from: number, to: number): void {
  const { index, keyWords, valueCount } = state;
  let slot = homeOfEntry(state, from);
  while (index[slot] !== from + 1) slot = nextSlot(state, slot);
  index[slot] = to + 1;
  const [source, target] = [chunkOf(state, from), chunkOf(state, to)];
  for (let i = 0; i < keyWords; i++) {
    target.keys[at(to) * keyWords + i] = source.keys[at(from) * keyWords + i] as number;
  }
  for (let i = 0; i < valueCount; i++) {
    target.bigints[at(to) * valueCount + i] = source.bigints[at(from) * valueCount + i] as bigint;
  }
  target.marks[at(to)] = source.marks[at(from)] as number;
}

/**
 * The sweep runs from the newest entry to the oldest. The last entry takes the number of an evicted entry,
 * and the sweep has passed this number already. So a new entry is examined only in the next sweep.
 */
function evict(state: State, pinned: number, onEvict?: (entry: number) => void): boolean {
  if (state.hand < pinned) state.hand = state.size - 1;
  state.hand = Math.min(state.hand, state.size - 1);
  while (state.hand >= pinned) {
    const entry = state.hand--;
    const { marks } = chunkOf(state, entry);
    if (marks[at(entry)] === 0) {
      onEvict?.(entry);
      let slot = homeOfEntry(state, entry);
      while (state.index[slot] !== entry + 1) slot = nextSlot(state, slot);
      removeAt(state, slot);
      return true;
    }
    marks[at(entry)] = 0;
  }
  return false;
}
