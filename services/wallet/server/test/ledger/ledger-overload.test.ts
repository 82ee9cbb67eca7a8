// Under overload, excess orders are rejected at once and not applied, and every package is still served.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/engine/ledger.ts';
import { stopClock } from '../environment/standing-clock.ts';
import { credit, type Ledgers, openLedgers, tally } from './ledgers.ts';

let ledgers: Ledgers;

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterAll(() => ledgers.close());

/** Locks the journal head of a package in another session until `release` is called. */
async function holdHead(packageId: number): Promise<{ release(): Promise<void> }> {
  let letGo = () => {};
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const done = ledgers.db.transaction(async (tx: Tx) => {
    await tx.query('select 1 from ledger_heads where package_id = $1 for update', [packageId]);
    isHeld();
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
  });
  await held;
  const release = () => {
    letGo();
    return done;
  };
  onTestFinished(release);
  return { release };
}

/** Resolves when the ledger has sent a batch. */
const isWriting = (ledger: Ledger) => eventually(() => expect(ledger.counters.writes).toBeGreaterThan(0));

it('a full queue refuses further orders, which are not applied', async () => {
  const to = await ledgers.account();
  const ledger = ledgers.open({ maxQueue: 5 });
  const said = await Promise.all(Array.from({ length: 12 }, (_, i) => credit(ledger, to, `q${i}`)));
  expect(said.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'stored applied'));
  expect(said.slice(5)).toEqual(Array.from({ length: 7 }, () => 'overloaded'));
  expect(await ledgers.balance(to.packageId, to.account)).toBe(5n);
  expect(await credit(ledger, to, 'q11')).toBe('stored applied');
});

it(
  'an order that would wait too long is refused at once and not written, ' +
    'while another package is still accepted',
  async () => {
    const [busy, quiet] = [await ledgers.account(), await ledgers.account()];
    const clock = stopClock();
    const ledger = ledgers.open({ maxBatch: 2, maxExpectedWaitMs: 20 });
    const head = await holdHead(busy.packageId);
    const slow = [credit(ledger, busy, 'slow 1'), credit(ledger, busy, 'slow 2')];
    await isWriting(ledger);
    clock.advance(250);
    await head.release();
    expect(await Promise.all(slow)).toEqual(['stored applied', 'stored applied']);
    // The estimate is now about 125 ms per order, so only orders that fit into the next batch are accepted.
    expect(ledger.isFull(busy.packageId)).toBe(false);
    const said = Array.from({ length: 6 }, (_, i) => credit(ledger, busy, `more ${i}`));
    expect([busy, quiet].map((to) => ledger.isFull(to.packageId))).toEqual([true, false]);
    expect(tally(await Promise.all(said))).toEqual({ 'stored applied': 2, overloaded: 4 });
    expect(await ledgers.balance(busy.packageId, busy.account)).toBe(4n);
    expect(await ledgers.countRows(busy.packageId)).toBe(5);
    expect(await credit(ledger, busy, 'more 5')).toBe('stored applied');
  },
);

it.each([
  [255, true],
  [256, false],
])(
  'up to 255 orders of one event-loop tick wait for the end of the tick: %i orders',
  async (orders, waits) => {
    const to = await ledgers.account();
    let isOver = false;
    const written: boolean[] = [];
    const real = ledgers.connect();
    const query: Queryable['query'] = async (request, values) => {
      if (typeof request !== 'string' && request.name === 'write_plain') written.push(isOver);
      return real.query(request, values) as never;
    };
    const ledger = createLedger({ db: { ...real, query } });
    await credit(ledger, to, 'first');
    written.length = 0;
    // This callback marks the end of the tick. It runs before the callback of the ledger, because it was
    // registered first.
    setImmediate(() => {
      isOver = true;
    });
    const said = Array.from({ length: orders }, (_, i) => credit(ledger, to, `t-${i}`));
    expect(tally(await Promise.all(said))).toEqual({ 'stored applied': orders });
    expect(written[0]).toBe(waits);
  },
);

it('an order that has waited too long for its batch is refused and not applied', async () => {
  const to = await ledgers.account();
  const clock = stopClock();
  const ledger = ledgers.open({ maxBatch: 1, maxWaitMs: 100, answerWithinMs: 10_000 });
  const head = await holdHead(to.packageId);
  const [sent, waiting] = [credit(ledger, to, 'in flight'), credit(ledger, to, 'waiting')];
  await isWriting(ledger);
  clock.advance(101);
  expect(await waiting).toBe('overloaded');
  await head.release();
  expect(await sent).toBe('stored applied');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(1n);
  expect(await credit(ledger, to, 'waiting')).toBe('stored applied');
});

it(
  'if the database does not answer, ' + 'sent orders get outcome_unknown, and queued orders get overloaded',
  async () => {
    const to = await ledgers.account();
    const clock = stopClock();
    const ledger = ledgers.open({ maxBatch: 1, maxWaitMs: 100, answerWithinMs: 200 });
    const head = await holdHead(to.packageId);
    const said = [credit(ledger, to, 'sent'), credit(ledger, to, 'behind')];
    await isWriting(ledger);
    clock.advance(201);
    // Both orders are answered while the journal head is still locked. So they are answered before the
    // database answers.
    expect(await Promise.all(said)).toEqual(['outcome_unknown', 'overloaded']);
    expect(ledger.queueSize()).toBe(0);
    await head.release();
    await ledger.drain();
    expect(await credit(ledger, to, 'sent')).toBe('repeated applied');
    expect(await credit(ledger, to, 'behind')).toBe('stored applied');
    expect(await ledgers.balance(to.packageId, to.account)).toBe(2n);
  },
);

it('a process that was busy until after the deadline still uses an answer that arrived in time', async () => {
  const to = await ledgers.account();
  const real = ledgers.connect();
  const clock = stopClock();
  let busyMs = 0;
  const query: Queryable['query'] = (request, values) => {
    const asked = real.query(request, values);
    if (busyMs > 0) setImmediate(beBusy);
    return asked as never;
  };
  /** Blocks the process until the order is late and the ledger's next check for late orders is due. */
  const beBusy = () => {
    clock.advance(2000);
    const end = Date.now() + busyMs;
    while (Date.now() < end);
  };
  const ledger = createLedger({ db: { ...real, query }, answerWithinMs: 1000 });
  expect(await credit(ledger, to, 'before')).toBe('stored applied');
  // The database must answer while the process is busy for `busyMs`. This time is doubled until it is long
  // enough.
  let said = '';
  for (busyMs = 200; said !== 'stored applied' && busyMs < 30_000; busyMs *= 2) {
    said = await credit(ledger, to, `meanwhile ${busyMs}`);
    await ledger.drain();
  }
  expect(said).toBe('stored applied');
});

it("an order gets 'overloaded' if the journal head stays locked, and is not applied later", async () => {
  const to = await ledgers.account();
  const ledger = createLedger({ db: ledgers.connect({ lockTimeoutMs: 50 }) });
  const head = await holdHead(to.packageId);
  expect(await credit(ledger, to, 'locked out')).toBe('overloaded');
  await head.release();
  expect(await ledgers.countRows(to.packageId)).toBe(1);
  expect(await credit(ledger, to, 'locked out')).toBe('stored applied');
});

it('the last known credit of a package stays available after a batch has failed', async () => {
  const to = await ledgers.account();
  stopClock();
  const ledger = createLedger({ db: ledgers.connect({ lockTimeoutMs: 50 }) });
  expect(ledger.peekCredit(to.packageId)).toBeUndefined();
  expect(await credit(ledger, to, 'seen')).toBe('stored applied');
  const head = await holdHead(to.packageId);
  expect(await credit(ledger, to, 'fails')).toBe('overloaded');
  expect(ledger.peekCredit(to.packageId)).toBe(999_999n);
  await head.release();
  expect(await credit(ledger, to, 'fails')).toBe('stored applied');
  expect(ledger.peekCredit(to.packageId)).toBe(999_998n);
});

it('2,000 orders of one package delay the order of another package by at most two batches', async () => {
  const [busy, quiet] = [await ledgers.account(), await ledgers.account()];
  const ledger = ledgers.open({ maxBatch: 200 });
  const head = await holdHead(busy.packageId);
  const many = Array.from({ length: 2000 }, (_, i) => credit(ledger, busy, `b${i}`));
  await isWriting(ledger);
  const before = ledger.counters.batches;
  expect(ledger.queueSize()).toBeGreaterThanOrEqual(1800);
  const single = credit(ledger, quiet, 'single').then((word) => [
    word,
    ledger.counters.batches - before <= 2,
    ledger.queueSize() >= 1400,
  ]);
  await head.release();
  expect(await single).toEqual(['stored applied', true, true]);
  expect(tally(await Promise.all(many))).toEqual({ 'stored applied': 2000 });
  expect(await ledgers.balance(busy.packageId, busy.account)).toBe(2000n);
});

it('three packages are served in turn when a batch has room for two orders', async () => {
  const owners = [await ledgers.account(), await ledgers.account(), await ledgers.account()];
  const ledger = ledgers.open({ maxBatch: 2 });
  const order: number[] = [];
  const sent = Array.from({ length: 5 }, (_, i) =>
    owners.map(async (to, owner) => {
      await credit(ledger, to, `${i}`);
      order.push(owner);
    }),
  );
  await Promise.all(sent.flat());
  expect(order.slice(0, 6).sort()).toEqual([0, 0, 1, 1, 2, 2]);
});

it('a batch contains one package if onePackagePerBatch is set', async () => {
  const owners = [await ledgers.account(), await ledgers.account(), await ledgers.account()];
  const together = ledgers.open();
  const apart = ledgers.open({ onePackagePerBatch: true });
  await Promise.all(owners.map((to) => credit(together, to, 'a')));
  const said = await Promise.all([...owners, ...owners].map((to, i) => credit(apart, to, `b${i}`)));
  expect(together.counters.batches).toBe(1);
  expect(apart.counters.batches).toBe(3);
  expect(tally(said)).toEqual({ 'stored applied': 6 });
});

it('with 64 callers one write contains 25 movements or more on average', async () => {
  const to = await ledgers.account();
  const ledger = ledgers.open();
  const rounds = 10;
  const caller = async (name: number) => {
    for (let i = 0; i < rounds; i++) await credit(ledger, to, `${name}-${i}`);
  };
  await Promise.all(Array.from({ length: 64 }, (_, name) => caller(name)));
  const movements = 64 * rounds;
  expect(await ledgers.balance(to.packageId, to.account)).toBe(BigInt(movements));
  expect(ledger.counters.orders).toBe(movements);
  expect(ledger.counters.writes / movements).toBeLessThanOrEqual(0.04);
  expect(ledger.counters).toMatchObject({ stale: 0, known: 0, locked: 0, failed: 0 });
});
