// The packed table answers as a plain map would, over growth and collisions.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccountState } from '../rules/state.ts';
import { createAccountTable } from './account-table.ts';

const largest = 2n ** 63n - 1n;
const number = fc.bigInt({ min: -largest, max: largest });
// Few different ones, ones whose lower halves are the same, and the largest.
const id = fc.oneof(
  fc.bigInt({ min: 1n, max: 40n }),
  fc.bigInt({ min: 1n, max: 20n }).map((high) => (high << 32n) | 7n),
  fc.constantFrom(largest, largest - 1n),
);
const account = fc.record({ balance: number, lastSequence: number });
const entry = fc.tuple(id, account, fc.integer({ min: 0 }));

it('holds what was put in last, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 300 }), fc.array(id), (entries, others) => {
      const model = new Map<bigint, { state: AccountState; time: number }>();
      const given = entries
        .slice(0, 5)
        .map(([key, state]) => [key, state] as [bigint, AccountState]);
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

it('holds many thousands of numbers that follow each other', () => {
  const table = createAccountTable();
  for (let i = 1001n; i < 60_000n; i++) table.set(i, { balance: i * 3n, lastSequence: -i });
  expect(table.size).toBe(58_999);
  for (let i = 1001n; i < 60_000n; i += 97n) {
    expect(table.get(i)).toEqual({ balance: i * 3n, lastSequence: -i });
  }
  expect([table.get(1000n), table.has(60_000n)]).toEqual([undefined, false]);
});

it('refuses the number that marks a free slot', () => {
  expect(() => createAccountTable().set(0n, { balance: 1n, lastSequence: 1n })).toThrow();
  expect([createAccountTable().has(0n), createAccountTable().get(0n)]).toEqual([false, undefined]);
});
