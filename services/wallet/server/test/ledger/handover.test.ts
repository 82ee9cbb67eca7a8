// Two ledgers on one database, as in two processes: one of them writes each package, and gets the orders of
// the other one over a socket.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Ledger, LedgerOptions } from '../../src/ledger/engine/ledger.ts';
import {
  type HandoverLedger,
  type HandoverOptions,
  openHandoverLedger,
} from '../../src/ledger/handover/handover-ledger.ts';
import { betOf, rollbackOf } from '../environment/command-line.ts';
import { answerOf, credit, type Ledgers, openLedgers, orderTransfer, tally, wordOf } from './ledgers.ts';
import { readBooks } from './model/journal.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

interface Process {
  readonly own: Ledger;
  readonly ledger: HandoverLedger;
}

type Options = Partial<HandoverOptions> & { engine?: Omit<LedgerOptions, 'db'> };

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openProcess(folder: string, number: number, options: Options = {}): Promise<Process> {
  const { engine, ...rest } = options;
  const own = rest.own ?? ledgers.open(engine);
  const ledger = await openHandoverLedger({ folder, number, count: 2, ...rest, own });
  onTestFinished(ledger.close);
  return { own, ledger };
}

const areConnected = (processes: readonly Process[]) =>
  eventually(() => expect(processes.map(({ ledger }) => ledger.countWriters())).toEqual([1, 1]));

async function openTwo(options: Options = {}): Promise<[Process, Process]> {
  const folder = await createFolder();
  const first = await openProcess(folder, 1, options);
  const second = await openProcess(folder, 2, options);
  await areConnected([first, second]);
  return [first, second];
}

interface Roles {
  readonly to: { packageId: number; account: bigint };
  /** The process that writes the package. */
  readonly writer: Process;
  readonly other: Process;
}

/** Creates a package, and finds out which of the two processes writes it. */
async function givenRoles([first, second]: readonly [Process, Process]): Promise<Roles> {
  const to = await ledgers.account();
  const before = first.ledger.countHandedOver();
  expect(await credit(first.ledger, to, 'who-writes')).toBe('stored applied');
  const isSecond = first.ledger.countHandedOver() > before;
  return isSecond ? { to, writer: second, other: first } : { to, writer: first, other: second };
}

/** Locks the journal head of a package in another session until `release` is called. */
async function holdHead(packageId: number): Promise<() => Promise<void>> {
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve) => {
    done = ledgers.db.transaction(async (tx: Tx) => {
      await tx.query('select 1 from ledger_heads where package_id = $1 for update', [packageId]);
      resolve();
      await released;
    });
  });
  const release = () => {
    letGo();
    return done;
  };
  onTestFinished(release);
  return release;
}

/** Resolves when the process has sent another batch. */
async function hasSent({ own }: Process, work: () => void): Promise<void> {
  const { writes } = own.counters;
  work();
  await eventually(() => expect(own.counters.writes).toBeGreaterThan(writes));
}

it('orders of a package through both processes are written by one process, each id once', async () => {
  const both = await openTwo();
  const { to, writer, other } = await givenRoles(both);
  const ids = Array.from({ length: 400 }, (_, i) => `both-${i % 300}`);
  const words = await Promise.all(ids.map((id, i) => credit((both[i % 2] as Process).ledger, to, id)));
  expect(tally(words)).toEqual({ 'stored applied': 300, 'repeated applied': 100 });
  expect(await ledgers.balance(to.packageId, to.account)).toBe(301n);
  expect(other.own.counters.orders).toBe(0);
  expect(writer.own.counters.stale).toBe(0);
  expect((await readBooks(ledgers.db, to.packageId)).brokenLinks).toEqual([]);
});

it('the receipt of a handed-over order is the receipt that the writing process would give', async () => {
  const { to, writer, other } = await givenRoles(await openTwo());
  const order = orderTransfer({ ...to, type: 'credit', amount: 7n, id: 'same', note: 'a note' });
  const stored = await answerOf(other.ledger.submit(order));
  const repeated = await answerOf(writer.ledger.submit(order));
  if (typeof stored === 'string' || typeof repeated === 'string') throw new Error('no receipt');
  expect({ ...stored.outcome, kind: 'repeated' }).toEqual(repeated.outcome);
  expect(stored.credit).toBe(repeated.credit);
  const bet = await answerOf(
    other.ledger.submit({ ...order, command: betOf({ id: 'b1', account: to.account, amount: 3n }) }),
  );
  expect(wordOf(bet)).toBe('stored applied');
  const rollback = rollbackOf({ id: 'r1', account: to.account, of: 'b1' });
  const undone = await answerOf(other.ledger.submit({ ...order, command: rollback }));
  expect(wordOf(undone)).toBe('stored rolled_back');
  const conflict = orderTransfer({ ...to, type: 'credit', amount: 8n, id: 'same', note: 'a note' });
  expect(wordOf(await answerOf(other.ledger.submit(conflict)))).toBe('conflict amount');
  const nobody = orderTransfer({ ...to, account: 999_999n, type: 'credit', amount: 1n, id: 'nobody' });
  expect(await answerOf(other.ledger.submit(nobody))).toBe('no account');
});

it('the processes share the packages, and all agree on the writing process', async () => {
  const both = await openTwo();
  const writers = new Set<Process>();
  for (let i = 0; i < 40; i++) writers.add((await givenRoles(both)).writer);
  expect(writers.size).toBe(2);
  expect(both.map(({ own }) => own.counters.stale)).toEqual([0, 0]);
});

it('a balance read through the other process shows the writes before it', async () => {
  const { to, writer, other } = await givenRoles(await openTwo());
  expect(other.ledger.readBalance(to.packageId, to.account)).toBeUndefined();
  const release = await holdHead(to.packageId);
  let first: Promise<string> = Promise.resolve('');
  await hasSent(writer, () => {
    first = credit(other.ledger, to, 'r1');
  });
  const second = credit(other.ledger, to, 'r2');
  const read = other.ledger.readBalance(to.packageId, to.account);
  await release();
  expect([await first, await second]).toEqual(['stored applied', 'stored applied']);
  expect((await read)?.balance ?? 3n).toBe(3n);
});

it("an order gets 'outcome_unknown' if its connection breaks; a repeat returns the outcome", async () => {
  const { to, writer, other } = await givenRoles(await openTwo());
  const release = await holdHead(to.packageId);
  let answer: Promise<string> = Promise.resolve('');
  await hasSent(writer, () => {
    answer = credit(other.ledger, to, 'broken');
  });
  await other.ledger.close();
  expect(await answer).toBe('outcome_unknown');
  expect(other.ledger.peekCredit(to.packageId)).toBeUndefined();
  await release();
  expect(await credit(other.ledger, to, 'broken')).toBe('repeated applied');
  expect(await credit(writer.ledger, to, 'broken')).toBe('repeated applied');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(2n);
});

it('a process that joins takes over its packages; each id is applied once meanwhile', async () => {
  const folder = await createFolder();
  const first = await openProcess(folder, 1);
  const accounts = await Promise.all(Array.from({ length: 8 }, () => ledgers.account()));
  const send = (ledger: Ledger, run: string) =>
    Promise.all(accounts.flatMap((to) => [1, 2, 3].map((i) => credit(ledger, to, `${run}-${i}`))));
  expect(tally(await send(first.ledger, 'alone'))).toEqual({ 'stored applied': 24 });
  const second = await openProcess(folder, 2);
  // The processes find each other while these orders are written.
  const words = await Promise.all([send(first.ledger, 'a'), send(second.ledger, 'b')]);
  expect(tally(words.flat())).toEqual({ 'stored applied': 48 });
  await areConnected([first, second]);
  await eventually(async () => {
    expect(tally(await send(first.ledger, `c-${first.ledger.countHandedOver()}`))).toEqual({
      'stored applied': 24,
    });
    expect(first.ledger.countHandedOver()).toBeGreaterThan(0);
  });
});

it('a process that leaves answers the orders that it got; later orders are written elsewhere', async () => {
  const { to, writer, other } = await givenRoles(await openTwo());
  const release = await holdHead(to.packageId);
  let last: Promise<string> = Promise.resolve('');
  await hasSent(writer, () => {
    last = credit(other.ledger, to, 'last');
  });
  const closed = writer.ledger.drain().then(writer.ledger.close);
  await eventually(() => expect(other.ledger.countWriters()).toBe(0));
  const handedOver = other.ledger.countHandedOver();
  const next = credit(other.ledger, to, 'next');
  await release();
  expect([await last, await next]).toEqual(['stored applied', 'stored applied']);
  expect(other.ledger.countHandedOver()).toBe(handedOver);
  await closed;
});

it('orders that the queue of the writing process refuses are not applied', async () => {
  const both = await openTwo({ engine: { maxQueue: 5 } });
  const { to, other } = await givenRoles(both);
  const words = await Promise.all(Array.from({ length: 12 }, (_, i) => credit(other.ledger, to, `q${i}`)));
  expect(tally(words)).toEqual({ 'stored applied': 5, overloaded: 7 });
  expect(await ledgers.balance(to.packageId, to.account)).toBe(6n);
  expect(await credit(other.ledger, to, 'q11')).toBe('stored applied');
  expect(other.ledger.peekCredit(to.packageId)).toBe(999_993n);
});

it('while the writing process is overloaded, the other process refuses orders itself', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wrap = (own: Ledger): Ledger => ({
    ...own,
    isFull: () => true,
    submit: (order) =>
      order.command.transactionId === 'late' ? released.then(() => own.submit(order)) : own.submit(order),
  });
  const folder = await createFolder();
  const both: [Process, Process] = [
    await openProcess(folder, 1, { own: wrap(ledgers.open()) }),
    await openProcess(folder, 2, { own: wrap(ledgers.open()) }),
  ];
  await areConnected(both);
  const { to, other } = await givenRoles(both);
  expect(other.ledger.isFull(to.packageId)).toBe(false);
  const late = credit(other.ledger, to, 'late');
  expect(await credit(other.ledger, to, 'early')).toBe('stored applied');
  expect(other.ledger.isFull(to.packageId)).toBe(true);
  const handedOver = other.ledger.countHandedOver();
  expect(await credit(other.ledger, to, 'refused')).toBe('overloaded');
  expect(other.ledger.countHandedOver()).toBe(handedOver);
  release();
  expect(await late).toBe('stored applied');
  // Without open orders, no reply would say that the overload is over.
  expect(other.ledger.isFull(to.packageId)).toBe(false);
  expect(await credit(other.ledger, to, 'refused')).toBe('stored applied');
});

it('a writing process that does not respond is passed over; its orders get unknown outcomes', async () => {
  const folder = await createFolder();
  const hung = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => hung.listen(`${folder}/1.sock`, resolve));
  const limits = { answerWithinMs: 400, maxSilenceMs: 100 };
  const { ledger, own } = await openProcess(folder, 2, limits);
  onTestFinished(() => void hung.close());
  await eventually(() => expect(ledger.countWriters()).toBe(1));
  const accounts = await Promise.all(Array.from({ length: 12 }, () => ledgers.account()));
  const words = await Promise.all(accounts.map((to) => credit(ledger, to, 'first')));
  expect(Object.keys(tally(words)).sort()).toEqual(['outcome_unknown', 'stored applied']);
  expect(ledger.countWriters()).toBe(0);
  const again = await Promise.all(accounts.map((to) => credit(ledger, to, 'second')));
  expect(tally(again)).toEqual({ 'stored applied': 12 });
  expect(own.counters.stale).toBe(0);
});
