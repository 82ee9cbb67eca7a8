// Recent transfers are returned with all their fields, and their number is limited.
import { expect, test } from 'vitest';
import { hashId, hashNote } from '../rules/ids.ts';
import type { Movement } from '../rules/movement.ts';
import { createRecentMovements } from './recent-movements.ts';

const transferOf = (number: number, packageId = 1): Movement => ({
  packageId,
  sequence: BigInt(number),
  previousSequence: BigInt(number - 1),
  kind: number % 2 === 0 ? 'credit' : 'debit',
  result: number % 3 === 0 ? 'insufficient_funds' : 'applied',
  debitAccount: 1n,
  creditAccount: 1001n + BigInt(number),
  amount: 999_999_999_999_999n - BigInt(number),
  debitBalance: -BigInt(number),
  creditBalance: BigInt(number) * 7n,
  idHash: hashId('caller', `id-${number}`),
  transactionId: `id-${number}`,
  createdAtMs: 1_700_000_000_123 + number,
  noteHash: number % 5 === 0 ? hashNote(`note ${number}`) : undefined,
  referenceHash: undefined,
  roundHash: undefined,
  roundPrevious: undefined,
  gameId: undefined,
});

const find = (recent: ReturnType<typeof createRecentMovements>, movement: Movement) =>
  recent.find({
    packageId: movement.packageId,
    idHash: movement.idHash,
    transactionId: movement.transactionId,
  });

test('the newest transfers, up to half of the limit, are found with all their fields', () => {
  const recent = createRecentMovements(2000);
  const all = Array.from({ length: 5000 }, (_, number) => transferOf(number + 1));
  for (const movement of all) recent.add(movement);
  for (const movement of all.slice(-1000)) expect(find(recent, movement)).toEqual(movement);
});

test('only the newest transfers are found if more transfers are added than the limit allows', () => {
  const recent = createRecentMovements(100);
  const all = Array.from({ length: 1000 }, (_, number) => transferOf(number + 1));
  for (const movement of all) recent.add(movement);
  const found = all.filter((movement) => find(recent, movement));
  expect(found.length).toBeLessThanOrEqual(100);
  expect(found).toEqual(all.slice(all.length - found.length));
});

test('two packages can each have a movement with the same id', () => {
  const recent = createRecentMovements(10);
  const [one, other] = [transferOf(2, 1), { ...transferOf(2, 2), amount: 5n }];
  recent.add(one);
  expect(find(recent, other)).toBeUndefined();
  recent.add(other);
  expect(find(recent, one)).toEqual(one);
  expect(find(recent, other)).toEqual(other);
});

test('all ids are found, even if several ids share a slot of the index', () => {
  const recent = createRecentMovements(20);
  const alike = Array.from({ length: 8 }, (_, number) => ({
    ...transferOf(number + 1),
    idHash: `00000000${String(number).padStart(24, 'a')}`,
  }));
  for (const movement of alike) recent.add(movement);
  for (const movement of alike) expect(find(recent, movement)).toEqual(movement);
});

test('movements of games are not stored among the recent transfers', () => {
  const recent = createRecentMovements(10);
  const bet: Movement = { ...transferOf(2), kind: 'bet' };
  recent.add(bet);
  expect(find(recent, bet)).toBeUndefined();
});

test.each([
  ['none', 0, 1],
  ['two', 2, 1],
  ['three', 3, 2],
  ['four', 4, 2],
])('the older half of the movements is dropped when the newer half is full (limit: %s)', (_, asked, half) => {
  const recent = createRecentMovements(asked);
  const all = Array.from({ length: 9 }, (_each, number) => transferOf(number + 1));
  for (const [i, movement] of all.entries()) {
    recent.add(movement);
    const first = Math.max(0, Math.floor(i / half) - 1) * half;
    expect(all.filter((each) => find(recent, each))).toEqual(all.slice(first, i + 1));
  }
});

test('a transfer that is added twice uses one record', () => {
  const recent = createRecentMovements(4);
  const all = [1, 2, 3, 4].map((number) => transferOf(number));
  for (const movement of all.slice(0, 3)) recent.add(movement);
  for (let times = 0; times < 5; times++) recent.add(transferOf(3));
  recent.add(transferOf(4));
  for (const movement of all) expect(find(recent, movement)).toEqual(movement);
});

test('an overwritten record contains no data of the previous movement', () => {
  const recent = createRecentMovements(2);
  const all = [5, 6, 10, 11].map((number) => transferOf(number));
  for (const movement of all) {
    recent.add(movement);
    expect(find(recent, movement)).toEqual(movement);
  }
});
