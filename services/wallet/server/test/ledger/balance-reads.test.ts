// A batch serves balance reads from the cache only if its commit proves that the cached balance is current.
import { type Db, openDb, type Queryable } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countPlayerChange } from '../../src/ledger/accounts.ts';
import { createLedger, type Ledger } from '../../src/ledger/engine/ledger.ts';
import { betOf } from '../environment/command-line.ts';
import { stopClock } from '../environment/standing-clock.ts';
import { type Ledgers, openLedgers, orderTransfer } from './ledgers.ts';

let ledgers: Ledgers;
let real: Db;
let counter = 0;

beforeAll(async () => {
  ledgers = await openLedgers();
  real = ledgers.connect();
});

afterAll(() => ledgers.close());

const funds = 1_000_000n;

/** With this option, a balance read waits long enough for a commit even if the disk is busy. */
const patient = { maxBalanceWaitMs: 180_000 };

type Player = Awaited<ReturnType<Ledgers['account']>>;

const credit = (ledger: Ledger, to: Player, amount: bigint) =>
  ledger.submit(orderTransfer({ ...to, type: 'credit', amount, id: `t-${++counter}` }));

/** The time of the account's last change in the database. */
async function movedAt({ packageId, account }: Player): Promise<Date | undefined> {
  const { rows } = await real.query<{ updated_at: Date }>(
    'select updated_at from accounts where package_id = $1 and id = $2',
    [packageId, account],
  );
  return rows[0]?.updated_at;
}

/** Opens a ledger whose statements are recorded. `before` is called before each statement. */
function watched(before?: (name: string) => Promise<void> | void) {
  const names: string[] = [];
  const query: Queryable['query'] = async (request, values) => {
    const name = typeof request === 'string' ? request : (request.name ?? request.text);
    names.push(name);
    await before?.(name);
    return real.query(request, values) as never;
  };
  const options = { ...patient, db: { ...real, query }, playersSettleMs: 0 };
  return { ledger: createLedger(options), names };
}

it('after its commit, a batch answers a waiting balance read without another query', async () => {
  const to = await ledgers.account();
  const { ledger, names } = watched();
  await credit(ledger, to, 5n);
  names.length = 0;
  const written = credit(ledger, to, 7n);
  const read = await ledger.readBalance(to.packageId, to.account);
  await written;
  expect(names).toEqual(['write_plain']);
  expect(read).toEqual({ balance: 12n, credit: funds - 12n, updatedAt: await movedAt(to) });
});

it('updatedAt is the time of the last change, for accounts cached by a look-up or by a batch', async () => {
  const [to, writer] = [await ledgers.account(), ledgers.open()];
  const second = { ...to, account: await ledgers.player(to.packageId) };
  await credit(writer, second, 2n);
  const moved = await movedAt(second);
  const { ledger } = watched();
  await credit(ledger, to, 1n);
  const account = { id: second.account, updatedAt: moved as Date };
  const storeRead = ledger.beginReading(to.packageId);
  storeRead({
    sequence: 1000n,
    accounts: [{ ...account, state: { balance: 2n, lastSequence: 2n } }],
  });
  const written = credit(ledger, to, 1n);
  const read = await ledger.readBalance(to.packageId, second.account);
  expect(read).toEqual({ balance: 2n, credit: funds - 4n, updatedAt: moved });
  await written;
  // The account is not in the cache of this second ledger, so the ledger's batch loads the account.
  const other = ledgers.open(patient);
  const refused = other.submit(orderTransfer({ ...second, type: 'debit', amount: 9n, id: 'much' }));
  expect((await other.readBalance(to.packageId, second.account))?.updatedAt).toEqual(await movedAt(second));
  expect((await refused)?.outcome.kind).not.toBe('applied');
});

it('readBalance returns a balance only if an order of the same package waits for a batch', async () => {
  const [to, other] = [await ledgers.account(), await ledgers.account()];
  const { ledger } = watched();
  expect(await ledger.readBalance(to.packageId, to.account)).toBeUndefined();
  const written = credit(ledger, other, 1n);
  expect(await ledger.readBalance(to.packageId, to.account)).toBeUndefined();
  await written;
  expect(await ledger.readBalance(other.packageId, other.account)).toBeUndefined();
});

it('no balance is served for an account that is not cached', async () => {
  const to = await ledgers.account();
  const stranger = await ledgers.player(to.packageId);
  const { ledger } = watched();
  const written = credit(ledger, to, 1n);
  expect(await ledger.readBalance(to.packageId, stranger)).toBeUndefined();
  expect(await ledger.readBalance(to.packageId, 999_999n)).toBeUndefined();
  await written;
});

it('a balance read is not served by a batch that was sent before the read', async () => {
  const to = await ledgers.account();
  const other = ledgers.open();
  await credit(other, to, 100n);
  let ask: (() => Promise<unknown>) | undefined;
  const { ledger } = watched(async (name) => {
    if (name === 'write_plain') await ask?.();
  });
  await credit(ledger, to, 1n);
  let read: ReturnType<Ledger['readBalance']> | undefined;
  let next: Promise<unknown> | undefined;
  ask = async () => {
    ask = undefined;
    // While the first batch is in flight, another order and the balance read wait for the next batch.
    next = credit(ledger, to, 10n);
    read = ledger.readBalance(to.packageId, to.account);
  };
  await credit(ledger, to, 1n);
  expect(await read).toMatchObject({ balance: 112n, credit: funds - 112n });
  await next;
});

it('a served balance contains a change that another process wrote just before the batch', async () => {
  const to = await ledgers.account();
  const other = ledgers.open();
  let meanwhile: (() => Promise<unknown>) | undefined;
  const { ledger } = watched(async (name) => {
    if (name === 'write_plain') await meanwhile?.();
  });
  await credit(ledger, to, 1n);
  meanwhile = async () => {
    meanwhile = undefined;
    await credit(other, to, 1000n);
  };
  const written = credit(ledger, to, 1n);
  expect(await ledger.readBalance(to.packageId, to.account)).toMatchObject({
    balance: 1002n,
    credit: funds - 1002n,
  });
  await written;
  expect(ledger.counters.stale).toBe(1);
});

it('a batch that writes nothing, or that fails, serves no balance reads', async () => {
  const to = await ledgers.account();
  let fails = false;
  const { ledger } = watched((name) => {
    if (fails && name === 'write_plain') throw new Error('not now');
  });
  await credit(ledger, to, 1n);
  const refused = ledger.submit({
    packageId: to.packageId,
    overdraftLimit: 0n,
    command: betOf({ id: 'b', amount: 1n, account: to.account, blockedBy: 'player_blocked' }),
  });
  const unserved = ledger.readBalance(to.packageId, to.account);
  expect((await refused)?.outcome.kind).toBe('refused');
  expect(await unserved).toBeUndefined();
  fails = true;
  const failed = credit(ledger, to, 1n).catch((error: Error) => error.message);
  expect(await ledger.readBalance(to.packageId, to.account)).toBeUndefined();
  expect(await failed).toBe('internal_error');
});

it('a balance read does not wait long for a batch that another database session blocks', async () => {
  const to = await ledgers.account();
  const ledger = ledgers.open({ maxBalanceWaitMs: 100 });
  await credit(ledger, to, 1n);
  const operator = openDb({ url: ledgers.url, applicationName: 'operator' });
  const settled: string[] = [];
  let written: Promise<unknown> | undefined;
  await operator.transaction(async (tx) => {
    await tx.query('select from ledger_heads where package_id = $1 for update', [to.packageId]);
    written = credit(ledger, to, 1n).then(() => settled.push('written'));
    expect(await ledger.readBalance(to.packageId, to.account)).toBeUndefined();
    settled.push('read');
  });
  await written;
  expect(settled).toEqual(['read', 'written']);
  await operator.end();
});

it('a balance read resolves to undefined if the batch it waits for rejects all orders as late', async () => {
  const to = await ledgers.account();
  const clock = stopClock();
  let open: () => void = () => undefined;
  let gate: Promise<void> | undefined;
  const query: Queryable['query'] = async (request, values) => {
    await gate;
    return real.query(request, values) as never;
  };
  // The ledger looks for late orders every 100 ms. With a limit of 140 ms, an order becomes late between two
  // of these checks.
  const ledger = createLedger({ db: { ...real, query }, maxWaitMs: 140, playersSettleMs: 0 });
  await credit(ledger, to, 1n);
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const stuck = credit(ledger, to, 1n);
  await eventually(() => expect(ledger.counters.writes).toBe(2));
  const late = credit(ledger, to, 1n).catch((error: Error) => error.message);
  clock.advance(150);
  // The periodic check has not rejected the late order yet, so this read waits for the batch of the late
  // order. That batch then rejects the order and cannot serve the read.
  const read = ledger.readBalance(to.packageId, to.account);
  open();
  expect(await read).toBeUndefined();
  expect(await late).toBe('overloaded');
  await stuck;
});

it('at most 1,024 balance reads wait for a batch at a time', async () => {
  const to = await ledgers.account();
  const { ledger } = watched();
  await credit(ledger, to, 3n);
  const written = credit(ledger, to, 1n);
  const asked = Array.from({ length: 1025 }, () => ledger.readBalance(to.packageId, to.account));
  const read = await Promise.all(asked);
  expect(read.filter((each) => each?.balance === 4n)).toHaveLength(1024);
  expect(read.at(-1)).toBeUndefined();
  await written;
});

it('two processes that write to one account never serve an older balance after a newer one', async () => {
  const to = await ledgers.account();
  const processes = [ledgers.open(patient), ledgers.open({ ...patient, onePackagePerBatch: true })];
  const seen: bigint[] = [];
  let written = 0n;
  const tellers = processes.map(async (ledger) => {
    for (let i = 0; i < 20 || (seen.length <= 20 && i < 1000); i++) {
      const writing = credit(ledger, to, 1n);
      written++;
      const least = seen.at(-1) ?? 0n;
      const read = await ledger.readBalance(to.packageId, to.account);
      if (read) {
        expect(read.balance).toBeGreaterThanOrEqual(least);
        expect(read.balance + read.credit).toBe(funds);
        seen.push(read.balance);
      }
      await writing;
    }
  });
  await Promise.all(tellers);
  expect(seen.length).toBeGreaterThan(20);
  expect(await ledgers.balance(to.packageId, to.account)).toBe(written);
});

/**
 * Raises the `players_version` of the package, as another process would, but does not notify this process.
 */
const changeBehindItsBack = ({ packageId }: Player) => countPlayerChange(real, packageId);

it.each([false, true])(
  'batch commits serve no balance for 300 ms after a player changed (one package per batch: %s)',
  async (onePackagePerBatch) => {
    const to = await ledgers.account();
    const clock = stopClock();
    const ledger = ledgers.open({ ...patient, playersSettleMs: 300, onePackagePerBatch });
    const readDuringWrite = async () => {
      const written = credit(ledger, to, 1n);
      const read = await ledger.readBalance(to.packageId, to.account);
      await written;
      return read?.balance;
    };
    // The ledger was just opened, and a notification of an earlier change may still arrive. So the ledger
    // serves no balance.
    expect(await readDuringWrite()).toBeUndefined();
    expect(await readDuringWrite()).toBeUndefined();
    clock.advance(300);
    expect(await readDuringWrite()).toBe(3n);
    await changeBehindItsBack(to);
    expect(await readDuringWrite()).toBeUndefined();
    expect(await readDuringWrite()).toBeUndefined();
    clock.advance(300);
    expect(await readDuringWrite()).toBe(6n);
  },
);

it(
  'a balance read waits for the next batch if 16 orders are in flight, ' +
    'and is not served if no batch follows',
  async () => {
    const to = await ledgers.account();
    let ask: (() => void) | undefined;
    const { ledger } = watched((name) => {
      if (name === 'write_plain') ask?.();
    });
    await credit(ledger, to, 1n);
    const read: ReturnType<Ledger['readBalance']>[] = [];
    ask = () => {
      ask = undefined;
      read.push(ledger.readBalance(to.packageId, to.account));
    };
    const many = (count: number) => Array.from({ length: count }, () => credit(ledger, to, 1n));
    await Promise.all(many(15));
    expect(read).toEqual([undefined]);
    ask = () => {
      ask = undefined;
      read.push(ledger.readBalance(to.packageId, to.account));
    };
    await Promise.all(many(16));
    expect(read[1]).toBeInstanceOf(Promise);
    expect(await read[1]).toBeUndefined();
  },
);
