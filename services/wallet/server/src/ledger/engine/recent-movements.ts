// Caches recent transfers in one buffer, because thousands of objects would cause most of the garbage
// collector's work.
import { isOfGame, type Kind, kindOf, kinds, type Movement, resultOf, results } from '../rules/movement.ts';

export interface RecentMovements {
  find(wanted: { packageId: number; idHash: string; transactionId: string }): Movement | undefined;
  /** Stores transfers and top-ups. Ignores movements of games, because `game-cache.ts` caches them. */
  add(movement: Movement): void;
}

/** Byte offsets of the fields in a record. A record starts with the hash of the id. */
const noteAt = 32;
const numbersAt = 64;
const packageAt = numbersAt + 8 * 8;
const kindAt = packageAt + 4;
const resultAt = kindAt + 1;
const recordBytes = resultAt + 3;

/** The cache has two halves. When the newer half is full, the older half is cleared. */
export function createRecentMovements(maxMovements: number): RecentMovements {
  const capacity = Math.max(1, Math.ceil(maxMovements / 2));
  let recent = createHalf(capacity);
  let older = createHalf(capacity);
  return {
    find: (wanted) => recent.find(wanted) ?? older.find(wanted),
    add: (movement) => {
      if (isOfGame(movement)) return;
      if (recent.isFull()) {
        [recent, older] = [older, recent];
        recent.clear();
      }
      recent.add(movement);
    },
  };
}

type Wanted = Parameters<RecentMovements['find']>[0];

/** A hash table of record numbers; on a collision the next free slot is used. */
function createHalf(capacity: number) {
  const records = Buffer.alloc(capacity * recordBytes);
  const view = new DataView(records.buffer, records.byteOffset, records.length);
  const wantedSlots = capacity * 2 + 1;
  const slots = 2 ** Math.ceil(Math.log2(wantedSlots));
  const mask = slots - 1;
  const index = new Int32Array(slots);
  let count = 0;

  /** The slot that contains the id, or the free slot in which the id can be stored. */
  const locate = (packageId: number, idHash: string): number => {
    let slot = Number.parseInt(idHash.slice(0, 8), 16) & mask;
    for (let number = index[slot] as number; number !== 0; number = index[slot] as number) {
      const at = (number - 1) * recordBytes;
      const isSame =
        view.getInt32(at + packageAt) === packageId && records.toString('latin1', at, at + noteAt) === idHash;
      if (isSame) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };

  return {
    isFull: () => count === capacity,
    clear: () => {
      count = 0;
      index.fill(0);
    },
    add: (movement: Movement) => {
      const slot = locate(movement.packageId, movement.idHash);
      if (index[slot] !== 0) return;
      write(records, view, count * recordBytes, movement);
      count++;
      index[slot] = count;
    },
    find: ({ packageId, idHash, transactionId }: Wanted): Movement | undefined => {
      const number = index[locate(packageId, idHash)] as number;
      if (number === 0) return undefined;
      return read(records, view, (number - 1) * recordBytes, { packageId, idHash, transactionId });
    },
  };
}

function write(records: Buffer, view: DataView, at: number, movement: Movement): void {
  records.write(movement.idHash, at, 'latin1');
  if (movement.noteHash === undefined) records[at + noteAt] = 0;
  else records.write(movement.noteHash, at + noteAt, 'latin1');
  view.setBigInt64(at + numbersAt, movement.sequence);
  view.setBigInt64(at + numbersAt + 8, movement.previousSequence);
  view.setBigInt64(at + numbersAt + 16, movement.debitAccount);
  view.setBigInt64(at + numbersAt + 24, movement.creditAccount);
  view.setBigInt64(at + numbersAt + 32, movement.amount);
  view.setBigInt64(at + numbersAt + 40, movement.debitBalance);
  view.setBigInt64(at + numbersAt + 48, movement.creditBalance);
  view.setFloat64(at + numbersAt + 56, movement.createdAtMs);
  view.setInt32(at + packageAt, movement.packageId);
  records[at + kindAt] = kinds[movement.kind];
  records[at + resultAt] = results[movement.result];
}

function read(records: Buffer, view: DataView, at: number, wanted: Wanted): Movement {
  const hasNote = records[at + noteAt] !== 0;
  const kind: Kind = kindOf(records[at + kindAt] as number);
  // Each property is listed, because an object spread took longer than the rest of this function.
  return {
    packageId: wanted.packageId,
    idHash: wanted.idHash,
    transactionId: wanted.transactionId,
    sequence: view.getBigInt64(at + numbersAt),
    previousSequence: view.getBigInt64(at + numbersAt + 8),
    kind,
    result: resultOf(records[at + resultAt] as number),
    debitAccount: view.getBigInt64(at + numbersAt + 16),
    creditAccount: view.getBigInt64(at + numbersAt + 24),
    amount: view.getBigInt64(at + numbersAt + 32),
    debitBalance: view.getBigInt64(at + numbersAt + 40),
    creditBalance: view.getBigInt64(at + numbersAt + 48),
    createdAtMs: view.getFloat64(at + numbersAt + 56),
    noteHash: hasNote ? records.toString('latin1', at + noteAt, at + numbersAt) : undefined,
    referenceHash: undefined,
    roundHash: undefined,
    roundPrevious: undefined,
    gameId: undefined,
  };
}
