// The packed directory answers as a plain map would, over growth, collisions and deletions.
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAccountDirectory } from './account-directory.ts';

const key = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((n) => `1:player-${n}`),
  fc.string({ unit: 'binary', maxLength: 70 }),
);
const account = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key, account }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
);

it('holds what was put in last and not taken out, and nothing else', () => {
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

it('loses nothing when thousands come, half of them go, and others come', () => {
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

it('closes a gap over the end of the table, where its last slots run on into its first', () => {
  // Of a thousand slots and more: keys that belong into the last six or the first three.
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

it('starts over when it is full, with what came last', () => {
  const directory = createAccountDirectory(1000);
  for (let i = 1; i <= 1000; i++) directory.set(`1:${i}`, BigInt(i));
  directory.set('1:1', 5n);
  expect([directory.size, directory.get('1:1'), directory.get('1:1000')]).toEqual([
    1000,
    5n,
    1000n,
  ]);
  directory.set('1:1001', 9n);
  expect([directory.size, directory.get('1:1001'), directory.get('1:1')]).toEqual([
    1,
    9n,
    undefined,
  ]);
  directory.clear();
  expect([directory.size, directory.get('1:1001')]).toEqual([0, undefined]);
});

it('refuses what cannot be an account', () => {
  const directory = createAccountDirectory(10);
  for (const account of [0n, -1n, 2n ** 53n]) expect(() => directory.set('1:a', account)).toThrow();
});
