// Stores account numbers by package and player id. To save memory, each key is a hash of the two ids.
import { hash } from 'node:crypto';
import { createFlatTable } from '../ledger/flat-table.ts';

/**
 * The length of the key in words of 32 bits. The key is half of a SHA-256, like the hash of a movement's id.
 */
const keyWords = 4;

/**
 * Creates a directory, which needs 29 to 37 bytes per entry. Before an entry is added to a full directory, an
 * entry that was not used for a long time is removed.
 */
export function createAccountDirectory(maxEntries: number) {
  const table = createFlatTable({ keyWords, valueCount: 1, spread: 1 });
  const keyBytes = Buffer.from(table.key.buffer);
  const setKey = (key: string) => {
    // The digest is fetched as text, because `hash` takes more than twice as long to return a Buffer, which
    // also needs memory outside the heap.
    keyBytes.write(hash('sha256', key, 'binary'), 0, keyBytes.length, 'latin1');
  };
  const evictOne = () => {
    // The first call may end a sweep in which every entry was in use. The next sweep then finds an entry.
    while (!table.evict(0));
  };
  return {
    get size() {
      return table.size;
    },
    get: (key: string) => {
      setKey(key);
      const entry = table.find();
      return entry < 0 ? undefined : BigInt(table.getNumber(entry, 0));
    },
    set: (key: string, account: bigint) => {
      const number = Number(account);
      if (!Number.isSafeInteger(number) || number <= 0) throw new Error(`no account ${account}`);
      setKey(key);
      if (table.size >= maxEntries && table.find() < 0) evictOne();
      table.setNumber(table.add(), 0, number);
    },
    delete: (key: string) => {
      setKey(key);
      table.remove();
    },
    clear: table.clear,
  };
}
