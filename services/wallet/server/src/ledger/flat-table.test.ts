// The flat table, used for accounts and for the directory of players, behaves like a plain map.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccountDirectory } from '../players/account-directory.ts';
import { createAccountTable } from './engine/account-table.ts';
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
        for (const key of [...model.keys(), ...others]) {
          expect(table.get(key)).toEqual(model.get(key)?.state);
          expect(table.has(key)).toBe(model.has(key));
          expect(table.getTime(key)).toBe(model.get(key)?.time ?? 0);
        }
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

  it('the table rejects an account with the number 0, which marks a free slot', () => {
    expect(() => createAccountTable().set(0n, { balance: 1n, lastSequence: 1n })).toThrow();
    expect([createAccountTable().has(0n), createAccountTable().get(0n)]).toEqual([false, undefined]);
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
        for (const each of all) expect(directory.get(each)).toBe(model.get(each));
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
        for (const [i, each] of keys.entries()) {
          expect(directory.get(each)).toBe(gone.includes(each) ? undefined : BigInt(i + 1));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a full directory is cleared before an entry with a new key is added', () => {
    const directory = createAccountDirectory(1000);
    for (let i = 1; i <= 1000; i++) directory.set(`1:${i}`, BigInt(i));
    directory.set('1:1', 5n);
    expect([directory.size, directory.get('1:1'), directory.get('1:1000')]).toEqual([1000, 5n, 1000n]);
    directory.set('1:1001', 9n);
    expect([directory.size, directory.get('1:1001'), directory.get('1:1')]).toEqual([1, 9n, undefined]);
    directory.clear();
    expect([directory.size, directory.get('1:1001')]).toEqual([0, undefined]);
  });

  it('the directory rejects the account numbers 0, -1 and 2^53, which no account can have', () => {
    const directory = createAccountDirectory(10);
    for (const account of [0n, -1n, 2n ** 53n]) expect(() => directory.set('1:a', account)).toThrow();
  });
});
