// The flat table, used for accounts and for the directory of players, behaves like a plain map.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccountDirectory } from '../players/account-directory.ts';
import { createAccountTable } from './engine/account-table.ts';
import { createFlatTable } from './flat-table.ts';
import type { AccountState } from './rules/state.ts';

describe('the account table', () => {
  const largest = 2n ** 63n - 1n;
  const number = fc.bigInt({ min: -largest, max: largest });
  // The ids are small ids, ids that differ only in their upper 32 bits, and the two largest ids.
  const id = fc.oneof(
    fc.bigInt({ min: 1n, max: 40n }),
    fc.bigInt({ min: 1n, max: 20n }).map((high) => (high << 32n) | 7n),
    fc.constantFrom(largest, largest - 1n),
  );
  const account = fc.record({ balance: number, lastSequence: number });
  const entry = fc.tuple(id, account, fc.integer({ min: 0 }));

  it('the table returns the last state that was set for an account, and nothing for other accounts', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 300 }), fc.array(id), (entries, others) => {
        const model = new Map<bigint, { state: AccountState; time: number }>();
        const given = entries.slice(0, 5).map(([key, state]) => [key, state] as [bigint, AccountState]);
        const table = createAccountTable(given);
        for (const [key, state] of given) model.set(key, { state, time: 0 });
        for (const [key, state, time] of entries.slice(5)) {
          model.set(key, { state, time });
          table.set(key, state, time);
        }
        expect(table.size).toBe(model.size);
        const keys = [...model.keys(), ...others];
        const found = keys.map((key) => [table.get(key), table.has(key), table.getTime(key)]);
        const wanted = keys.map((key) => model.get(key));
        expect(found).toEqual(wanted.map((each) => [each?.state, each !== undefined, each?.time ?? 0]));
      }),
    );
  });

  it('the table returns the states of thousands of accounts with consecutive numbers', () => {
    const table = createAccountTable();
    for (let i = 1001n; i < 60_000n; i++) table.set(i, { balance: i * 3n, lastSequence: -i });
    expect(table.size).toBe(58_999);
    for (let i = 1001n; i < 60_000n; i += 97n) {
      expect(table.get(i)).toEqual({ balance: i * 3n, lastSequence: -i });
    }
    expect([table.get(1000n), table.has(60_000n)]).toEqual([undefined, false]);
  });

  it('the accounts with which the table was created are never evicted', () => {
    const own = [1n, 2n, 3n].map((each) => [each, { balance: each, lastSequence: 0n }] as const);
    const table = createAccountTable(own.map(([key, state]) => [key, state]));
    for (let i = 1001n; i < 1101n; i++) table.set(i, { balance: i, lastSequence: 0n });
    for (let evicted = 0; evicted < 100; ) if (table.evict()) evicted++;
    expect([table.evict(), table.evict(), table.size, table.pinned]).toEqual([false, false, 3, 3]);
    for (const [key, state] of own) expect(table.get(key)).toEqual(state);
  });

  it('the table reports the highest last sequence of the accounts that were evicted', () => {
    const table = createAccountTable();
    for (const [key, lastSequence] of [
      [1001n, 5n],
      [1002n, 9n],
      [1003n, 2n],
    ] as const) {
      table.set(key, { balance: 1n, lastSequence });
    }
    const seen = [table.evictedUpTo];
    while (table.evict()) seen.push(table.evictedUpTo);
    expect(seen).toEqual([0n, 2n, 9n, 9n]);
  });
});

describe('the account directory', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 60 }).map((n) => `1:player-${n}`),
    fc.string({ unit: 'binary', maxLength: 70 }),
  );
  const account = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key, account }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  );

  it('the directory returns the last account of each key, and nothing for other keys', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.array(key), (steps, others) => {
        const model = new Map<string, bigint>();
        const directory = createAccountDirectory(10_000);
        for (const each of steps) {
          if (each.kind === 'set') {
            model.set(each.key, each.account);
            directory.set(each.key, each.account);
          } else {
            model.delete(each.key);
            directory.delete(each.key);
          }
        }
        expect(directory.size).toBe(model.size);
        const all = [...others, ...steps.map((each) => each.key)];
        expect(all.map((each) => directory.get(each))).toEqual(all.map((each) => model.get(each)));
      }),
    );
  });

  it('the directory loses no entry when thousands of entries are added and some are deleted', () => {
    const directory = createAccountDirectory(100_000);
    const model = new Map<string, bigint>();
    for (let i = 1; i <= 40_000; i++) {
      directory.set(`7:p${i}`, BigInt(i));
      model.set(`7:p${i}`, BigInt(i));
      if (i % 3 !== 0) continue;
      directory.delete(`7:p${i / 3}`);
      model.delete(`7:p${i / 3}`);
    }
    expect(directory.size).toBe(model.size);
    const keys = Array.from({ length: 40_000 }, (_, i) => `7:p${i + 1}`);
    expect(keys.filter((each) => directory.get(each) !== model.get(each))).toEqual([]);
  });

  it('deletions near the last slot do not hide keys whose search continues at the first slot', () => {
    // Selects keys whose first slot is one of the last six or the first three of 1,024 slots.
    const near = Array.from({ length: 60_000 }, (_, i) => `1:p${i}`).filter((key) => {
      const home = hash('sha256', key, 'buffer').readUInt32LE(0) & 1023;
      return home >= 1018 || home < 3;
    });
    const some = fc.shuffledSubarray(near.slice(0, 400), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(some, fc.nat(), (keys, seed) => {
        const directory = createAccountDirectory(10_000);
        for (const [i, each] of keys.entries()) directory.set(each, BigInt(i + 1));
        const gone = keys.filter((_, i) => (i * 7 + seed) % 3 === 0);
        for (const each of gone) directory.delete(each);
        const wanted = keys.map((each, i) => (gone.includes(each) ? undefined : BigInt(i + 1)));
        expect(keys.map((each) => directory.get(each))).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('a full directory evicts one entry before an entry with a new key is added', () => {
    const directory = createAccountDirectory(1000);
    for (let i = 1; i <= 1000; i++) directory.set(`1:${i}`, BigInt(i));
    directory.set('1:1', 5n);
    expect([directory.size, directory.get('1:1'), directory.get('1:1000')]).toEqual([1000, 5n, 1000n]);
    directory.set('1:1001', 9n);
    expect([directory.size, directory.get('1:1001'), directory.get('1:1')]).toEqual([1000, 9n, 5n]);
    directory.clear();
    expect([directory.size, directory.get('1:1001')]).toEqual([0, undefined]);
  });

  it('a full directory keeps the entries in use while many other entries are added', () => {
    const directory = createAccountDirectory(1000);
    const inUse = Array.from({ length: 300 }, (_, i) => `1:regular-${i}`);
    for (const [i, each] of inUse.entries()) directory.set(each, BigInt(i + 1));
    const missing: string[] = [];
    for (let i = 1; i <= 50_000; i++) {
      directory.set(`1:once-${i}`, BigInt(i));
      const regular = inUse[i % 300] as string;
      if (directory.get(regular) !== BigInt((i % 300) + 1)) missing.push(regular);
    }
    expect(missing).toEqual([]);
    expect([directory.size, directory.get('1:once-50000')]).toEqual([1000, 50_000n]);
  });

  it('a directory in which every entry was used has room for a new entry too', () => {
    const directory = createAccountDirectory(3);
    for (const i of [1, 2, 3, 4, 5]) {
      directory.set(`1:${i}`, BigInt(i));
      for (const each of [1, 2, 3, 4, 5]) directory.get(`1:${each}`);
    }
    expect([directory.size, directory.get('1:5')]).toEqual([3, 5n]);
  });

  it('the directory rejects the account numbers 0, -1 and 2^53, which no account can have', () => {
    const directory = createAccountDirectory(10);
    for (const account of [0n, -1n, 2n ** 53n]) expect(() => directory.set('1:a', account)).toThrow();
  });
});

describe('eviction', () => {
  const key = fc.integer({ min: 1, max: 50 });
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('get' as const), key }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), key }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('evict' as const), key }) },
  );
  const createTable = () => {
    const table = createFlatTable({ keyWords: 2, valueCount: 1, spread: 0x9e3779b1 });
    const withKey = <Result>(each: number, work: () => Result): Result => {
      table.key.set([each, each * 7]);
      return work();
    };
    return {
      table,
      /** Sets the value of the key. */
      set: (each: number, value: number) => withKey(each, () => table.setNumber(table.add(), 0, value)),
      get: (each: number) =>
        withKey(each, () => {
          const entry = table.find();
          return entry < 0 ? undefined : table.getNumber(entry, 0);
        }),
      remove: (each: number) => withKey(each, table.remove),
    };
  };

  it('a call evicts at most one entry, which was not used since the last call, and changes no other', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { table, set, get, remove } = createTable();
        const model = new Map<number, number>();
        let used = new Set<number>();
        const checkEviction = (isEvicted: boolean) => {
          expect(table.size).toBe(model.size - Number(isEvicted));
          const gone = [...model.keys()].filter((each) => get(each) === undefined);
          expect(gone).toHaveLength(Number(isEvicted));
          for (const each of gone) expect(used.has(each)).toBe(false);
          for (const each of gone) model.delete(each);
          // `get` has just used every entry.
          used = new Set(model.keys());
        };
        for (const [i, each] of steps.entries()) {
          if (each.kind === 'evict') checkEviction(table.evict(0));
          else if (each.kind === 'set') {
            // A new entry does not count as used before its first search.
            if (model.has(each.key)) used.add(each.key);
            set(each.key, i);
            model.set(each.key, i);
          } else if (each.kind === 'get') {
            expect(get(each.key)).toBe(model.get(each.key));
            if (model.has(each.key)) used.add(each.key);
          } else {
            remove(each.key);
            model.delete(each.key);
            used.delete(each.key);
          }
        }
        expect(table.size).toBe(model.size);
        for (let i = 1; i <= 50; i++) expect(get(i)).toBe(model.get(i));
      }),
    );
  });

  it('two sweeps evict all entries that nothing uses, in any order of additions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { table, set, get, remove } = createTable();
        for (const each of steps) {
          if (each.kind === 'set') set(each.key, 1);
          else if (each.kind === 'get') get(each.key);
          else if (each.kind === 'remove') remove(each.key);
          else table.evict(0);
        }
        for (let sweeps = 0; sweeps < 3; ) if (!table.evict(0)) sweeps++;
        expect(table.size).toBe(0);
      }),
    );
  });

  it('entries of 100,000 keys are found while the table shrinks and grows by whole chunks', () => {
    const { table, set, get } = createTable();
    for (let i = 1; i <= 100_000; i++) set(i, i);
    const kept = Array.from({ length: 1000 }, (_, i) => 1 + i * 99);
    for (const each of kept) get(each);
    while (table.size > 1000) {
      for (let evicted = 0; evicted < 999 && table.size > 1000; ) if (table.evict(0)) evicted++;
      expect(kept.filter((each) => get(each) !== each)).toEqual([]);
    }
    for (let i = 200_001; i <= 240_000; i++) set(i, i);
    for (const each of kept) expect(get(each)).toBe(each);
    expect([table.size, get(200_001), get(240_000)]).toEqual([41_000, 200_001, 240_000]);
  });
});
