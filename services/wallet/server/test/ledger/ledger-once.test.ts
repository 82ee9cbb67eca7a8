// Each id has one effect and one answer, even for concurrent orders through two processes.
import { parseMinor } from '@counterfoil/kit/money';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger, Receipt } from '../../src/ledger/engine/ledger.ts';
import { betWinOf, rollbackOf, winOf } from '../environment/command-line.ts';
import { answerOf, type Ledgers, openLedgers, orderTransfer, tally, wordOf } from './ledgers.ts';
import { readBooks } from './model/journal.ts';

let ledgers: Ledgers;
let processes: [Ledger, Ledger];

beforeAll(async () => {
  ledgers = await openLedgers();
  processes = [ledgers.open(), ledgers.open()];
});

afterAll(() => ledgers.close());

const either = (i: number) => processes[i % 2 === 0 ? 0 : 1];

async function givenPlayer(balance: bigint): Promise<{ packageId: number; account: bigint }> {
  const packageId = await ledgers.package(1_000_000n);
  const account = await ledgers.player(packageId);
  if (balance === 0n) return { packageId, account };
  const order = orderTransfer({ packageId, account, type: 'credit', amount: balance, id: 'fund' });
  expect(wordOf(await answerOf(processes[0].submit(order)))).toBe('stored applied');
  return { packageId, account };
}

async function expectCleanBooks(packageId: number): Promise<void> {
  const { rows, accounts, brokenLinks, head } = await readBooks(ledgers.db, packageId);
  expect(brokenLinks).toEqual([]);
  expect(head).toEqual({ sequence: BigInt(rows.length), isLastHash: true });
  expect([...accounts.values()].reduce((sum, each) => sum + each.balance, 0n)).toBe(0n);
}

it('orders are written and repeats are answered although the cache has no room for a player', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const other = await givenPlayer(0n);
  // The cache has room for three accounts. The package's own accounts fill it, so the player's account does
  // not fit.
  const ledger = ledgers.open({ maxAccounts: 3 });
  const credit = (to: typeof other, i: number) =>
    orderTransfer({ ...to, type: 'credit', amount: 5n, id: `small-${i}` });
  const orders = [0, 1, 2, 1].map((i) => credit(i === 2 ? other : { packageId, account }, i));
  const said = await Promise.all(orders.map((order) => answerOf(ledger.submit(order))));
  expect(tally(said.map(wordOf))).toEqual({ 'stored applied': 3, 'repeated applied': 1 });
  expect(await ledgers.balance(packageId, account)).toBe(10n);
  await expectCleanBooks(packageId);
});

it('exactly one of 500 concurrent debits of the full balance is applied', async () => {
  const { packageId, account } = await givenPlayer(700n);
  const said = await Promise.all(
    Array.from({ length: 500 }, (_, i) => {
      const order = { packageId, account, type: 'debit', amount: 700n, id: `d${i}` } as const;
      return answerOf(either(i).submit(orderTransfer(order)));
    }),
  );
  expect(tally(said.map(wordOf))).toEqual({
    'stored applied': 1,
    'stored insufficient_funds': 499,
  });
  expect(await ledgers.balance(packageId, account)).toBe(0n);
  expect(await ledgers.countRows(packageId)).toBe(502);
  await expectCleanBooks(packageId);
});

it('1,000 credits of 0.1 add up to exactly 100.00', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const amount = parseMinor('0.1', 'EUR') ?? 0n;
  await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      either(i).submit(orderTransfer({ packageId, account, type: 'credit', amount, id: `c${i}` })),
    ),
  );
  expect(await ledgers.balance(packageId, account)).toBe(parseMinor('100.00', 'EUR'));
  await expectCleanBooks(packageId);
});

it('an id that is sent 200 times concurrently to two processes has one effect and one answer', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const order = orderTransfer({ packageId, account, type: 'credit', amount: 25n, id: 'once' });
  const said = await Promise.all(
    Array.from({ length: 200 }, (_, i) => either(i).submit(order) as Promise<Receipt>),
  );
  expect(tally(said.map(wordOf))).toEqual({ 'stored applied': 1, 'repeated applied': 199 });
  const movements = said.map(({ outcome }) => 'movement' in outcome && outcome.movement);
  for (const movement of movements) expect(movement).toEqual(movements[0]);
  expect(await ledgers.balance(packageId, account)).toBe(25n);
  expect(await ledgers.countRows(packageId)).toBe(2);
});

it('if orders with one id have two amounts, one amount is applied and the other is a conflict', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const said = await Promise.all(
    Array.from({ length: 100 }, (_, i) => {
      const amount = i % 3 === 0 ? 5n : 6n;
      const order = { packageId, account, type: 'credit', amount, id: 'one' } as const;
      return answerOf(either(i).submit(orderTransfer(order)));
    }),
  );
  const counts = tally(said.map(wordOf));
  expect(counts['stored applied']).toBe(1);
  expect([34, 66]).toContain(counts['conflict amount']);
  expect([5n, 6n]).toContain(await ledgers.balance(packageId, account));
});

it(
  'a refused debit stays refused after funding, ' + 'in the process that refused it and in other processes',
  async () => {
    const { packageId, account } = await givenPlayer(0n);
    const debit = orderTransfer({ packageId, account, type: 'debit', amount: 5n, id: 'd' });
    const first = (await processes[0].submit(debit)) as Receipt;
    expect(wordOf(first)).toBe('stored insufficient_funds');
    const fund = orderTransfer({ packageId, account, type: 'credit', amount: 50n, id: 'f' });
    await processes[1].submit(fund);
    for (const process of [...processes, ledgers.open()]) {
      const again = (await process.submit(debit)) as Receipt;
      expect(wordOf(again)).toBe('repeated insufficient_funds');
      expect('movement' in again.outcome && again.outcome.movement).toEqual(
        'movement' in first.outcome && first.outcome.movement,
      );
      expect(again.credit).toBe(1_000_000n - 50n);
    }
    expect(await ledgers.balance(packageId, account)).toBe(50n);
  },
);

it('an id that occurs twice in one batch is written once, and both orders are answered', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const ledger = ledgers.open();
  const order = orderTransfer({ packageId, account, type: 'credit', amount: 5n, id: 'twice' });
  const other = orderTransfer({ packageId, account, type: 'credit', amount: 6n, id: 'twice' });
  const said = await Promise.all([order, order, other].map((each) => answerOf(ledger.submit(each))));
  expect(said.map(wordOf)).toEqual(['stored applied', 'repeated applied', 'conflict amount']);
  expect(ledger.counters.batches).toBe(1);
  expect(await ledgers.balance(packageId, account)).toBe(5n);
});

it('a bet_win, its win and its rollback are applied once if each is sent 60 times concurrently', async () => {
  const { packageId, account } = await givenPlayer(100n);
  const commands = [
    betWinOf({ id: 'x', account, bet: 10n, win: 4n, round: 'r' }),
    winOf({ id: 'w', account, amount: 3n, of: 'x' }),
    rollbackOf({ id: 'z', account, of: 'x' }),
  ];
  const said = await Promise.all(
    Array.from({ length: 180 }, (_, i) => {
      const command = commands[i % 3] as (typeof commands)[number];
      return answerOf(either(i).submit({ packageId, overdraftLimit: 0n, command }));
    }),
  );
  const words = said.map(wordOf);
  // If the rollback arrived first, the rollback stored a tombstone, and the bet_win and its win were refused.
  const isTombstoned = words.includes('stored tombstoned');
  const balance = await ledgers.balance(packageId, account);
  expect(balance).toBe(isTombstoned ? 100n : 97n);
  expect(words.filter((word) => word.startsWith('stored'))).toHaveLength(isTombstoned ? 1 : 2);
  await expectCleanBooks(packageId);
});

it('an order that the database cannot store fails alone, and the rest of its batch is applied', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const ledger = ledgers.open();
  const credit = (id: string) =>
    answerOf(ledger.submit(orderTransfer({ packageId, account, type: 'credit', amount: 1n, id })));
  const ids = Array.from({ length: 30 }, (_, i) => (i === 11 ? 'nul\0here' : `id-${i}`));
  const said = await Promise.all(ids.map(credit));
  expect(tally(said.map(wordOf))).toEqual({ 'stored applied': 29, internal_error: 1 });
  expect(wordOf(said[11] as Receipt)).toBe('internal_error');
  expect(await ledgers.balance(packageId, account)).toBe(29n);
  await expectCleanBooks(packageId);
});

it('an order for an unknown account gets no receipt, and its id can still be used', async () => {
  const { packageId, account } = await givenPlayer(0n);
  const order = { packageId, type: 'credit', amount: 1n, id: 'a' } as const;
  const [lost, found] = await Promise.all([
    answerOf(processes[0].submit(orderTransfer({ ...order, account: 999_999n }))),
    answerOf(processes[0].submit(orderTransfer({ ...order, account }))),
  ]);
  expect([wordOf(lost), wordOf(found)]).toEqual(['no account', 'stored applied']);
});
