// Repeats of ids that are not cached. The unique index on (package_id, id_hash) reports such an id, the batch
// writes nothing, and the orders are decided again.
import type { Db, Queryable } from '@counterfoil/kit/postgres/db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/engine/ledger.ts';
import { betOf } from '../environment/command-line.ts';
import { answerOf, credit, type Ledgers, openLedgers, orderTransfer, tally, wordOf } from './ledgers.ts';
import { readBooks } from './model/journal.ts';

let ledgers: Ledgers;
let real: Db;

beforeAll(async () => {
  ledgers = await openLedgers();
  real = ledgers.connect();
});

afterAll(() => ledgers.close());

type Player = Awaited<ReturnType<Ledgers['account']>>;

/** A ledger that records the names of its statements, and calls `after` after each of them. */
function recordingLedger(after: (name: string) => Promise<void> | void = () => {}) {
  const names: string[] = [];
  const query: Queryable['query'] = async (request, values) => {
    const name = (typeof request === 'string' ? undefined : request.name) ?? '';
    names.push(name);
    const result = await real.query(request, values);
    await after(name);
    return result as never;
  };
  return { names, ledger: createLedger({ db: { ...real, query } }) };
}

async function expectCleanBooks({ packageId, account }: Player, balance: bigint): Promise<void> {
  const { rows, accounts, brokenLinks, head } = await readBooks(ledgers.db, packageId);
  expect(brokenLinks).toEqual([]);
  expect(head).toEqual({ sequence: BigInt(rows.length), isLastHash: true });
  expect(accounts.get(account)?.balance).toBe(balance);
}

const creditAll = async (ledger: Ledger, to: Player, ids: readonly string[]) =>
  tally(await Promise.all(ids.map((id) => credit(ledger, to, id))));

function createLatch(): { open: () => void; isOpen: Promise<void> } {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, isOpen };
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `id-${from + i}`);

it.each([
  ['several packages per batch', {}],
  ['one package per batch', { onePackagePerBatch: true }],
])('a batch with one id of another process applies its other orders once: %s', async (_way, options) => {
  const to = await ledgers.account();
  await credit(ledgers.open(options), to, 'id-11');
  const ledger = ledgers.open(options);
  expect(await creditAll(ledger, to, range(30))).toEqual({ 'stored applied': 29, 'repeated applied': 1 });
  expect(ledger.counters).toMatchObject({ batches: 1, known: 1, failed: 0 });
  await expectCleanBooks(to, 30n);
});

it('an old id with another amount is a conflict, and an old bet is a repeat, in one batch', async () => {
  const to = await ledgers.account();
  const { packageId, account } = to;
  const first = ledgers.open();
  const submit = async (by: Ledger, amount: bigint) => {
    const transfer = orderTransfer({ ...to, type: 'credit', amount, id: 'a' });
    const bet = { packageId, overdraftLimit: 0n, command: betOf({ id: 'b', account, amount: 2n }) };
    return (await Promise.all([transfer, bet].map((each) => answerOf(by.submit(each))))).map(wordOf);
  };
  expect(await submit(first, 5n)).toEqual(['stored applied', 'stored applied']);
  expect(await submit(ledgers.open(), 6n)).toEqual(['conflict amount', 'repeated applied']);
  await expectCleanBooks(to, 3n);
});

it('after an old id, eight batches look up their ids first, so a series of old ids fails once', async () => {
  const to = await ledgers.account();
  const ids = range(20);
  expect(await creditAll(ledgers.open(), to, ids)).toEqual({ 'stored applied': 20 });
  const { ledger, names } = recordingLedger();
  for (const id of ids) expect(await credit(ledger, to, id)).toBe('repeated applied');
  expect(ledger.counters.known).toBe(1);
  expect(names.filter((name) => name === 'write_plain')).toHaveLength(1);
  names.length = 0;
  for (const id of range(8, 100)) expect(await credit(ledger, to, id)).toBe('stored applied');
  expect(names.filter((name) => name === 'select_movements_of_one')).toHaveLength(8);
  names.length = 0;
  for (const id of range(2, 200)) expect(await credit(ledger, to, id)).toBe('stored applied');
  expect(names).toEqual(['write_plain', 'write_plain']);
  await expectCleanBooks(to, 30n);
});

it('an old id that was repeated once is cached and needs no further statement but the head', async () => {
  const to = await ledgers.account();
  await credit(ledgers.open(), to, 'a');
  const { ledger, names } = recordingLedger();
  expect(await credit(ledger, to, 'a')).toBe('repeated applied');
  names.length = 0;
  expect(await credit(ledger, to, 'a')).toBe('repeated applied');
  expect(names).toEqual(['select_head']);
});

it('the attempt that locks the head finds an id that another process has stored meanwhile', async () => {
  const to = await ledgers.account();
  const other = ledgers.open();
  const between = ['other', 'mine'];
  const { ledger } = recordingLedger(async (name) => {
    const id = name === 'select_accounts_of_one' ? between.shift() : undefined;
    if (id !== undefined) expect(await credit(other, to, id)).toBe('stored applied');
  });
  expect(await credit(ledger, to, 'mine')).toBe('repeated applied');
  expect(ledger.counters).toMatchObject({ stale: 2, locked: 1, failed: 0 });
  await expectCleanBooks(to, 2n);
});

it('a repeat is found although the repeats that are loaded with it remove it from the cache', async () => {
  const to = await ledgers.account();
  expect(await creditAll(ledgers.open(), to, range(3))).toEqual({ 'stored applied': 3 });
  // The cache has two halves, with one movement each.
  const ledger = ledgers.open({ maxMovements: 2 });
  expect(await credit(ledger, to, 'id-0')).toBe('repeated applied');
  expect(await creditAll(ledger, to, range(3))).toEqual({ 'repeated applied': 3 });
  expect(ledger.counters.failed).toBe(0);
});

it('a balance whose read outlasts its failed batch is not used after a later batch', async () => {
  const to = await ledgers.account();
  const late = { packageId: to.packageId, account: await ledgers.player(to.packageId) };
  expect(await creditAll(ledgers.open(), to, ['old'])).toEqual({ 'stored applied': 1 });
  expect(await credit(ledgers.open(), late, 'funds')).toBe('stored applied');
  const [read, released] = [createLatch(), createLatch()];
  const faults = new Map<string, () => Promise<void>>();
  const { ledger } = recordingLedger((name) => {
    const fault = faults.get(name);
    faults.delete(name);
    return fault?.();
  });
  const debit = (id: string) =>
    answerOf(ledger.submit(orderTransfer({ ...late, type: 'debit', amount: 1n, id }))).then(wordOf);
  // After an old id, batches read ids and balances at the same time.
  expect(await credit(ledger, to, 'old')).toBe('repeated applied');
  faults.set('select_accounts_of_one', () => {
    read.open();
    return released.isOpen;
  });
  faults.set('select_movements_of_one', async () => {
    await read.isOpen;
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  expect(await debit('failed')).toBe('overloaded');
  expect(await debit('first')).toBe('stored applied');
  released.open();
  expect(await debit('second')).toBe('stored insufficient_funds');
  await expectCleanBooks(late, 0n);
});

it('an order that violates another unique index fails alone, after its ids were looked up', async () => {
  const to = await ledgers.account();
  const ledger = ledgers.open();
  expect(await credit(ledger, to, 'warm')).toBe('stored applied');
  // The row of the next order has the sequence 3. A foreign note with this number is in its way.
  await ledgers.db.query(`insert into journal_notes (package_id, sequence, note) values ($1, 3, 'stray')`, [
    to.packageId,
  ]);
  const noted = orderTransfer({ ...to, type: 'credit', amount: 1n, id: 'noted', note: 'x' });
  const said = Promise.all([answerOf(ledger.submit(noted)), credit(ledger, to, 'plain')]);
  const [failed, applied] = await said;
  expect([wordOf(failed), applied]).toEqual(['internal_error', 'stored applied']);
  await expectCleanBooks(to, 2n);
});
