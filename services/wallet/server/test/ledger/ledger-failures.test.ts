// Failures of the ledger: broken connections, outdated caches, a restored database and terminated backends.
// No order is lost or applied twice.
import { DatabaseUnavailableError, type Db, openDb, type Queryable } from '@counterfoil/kit/postgres/db';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/engine/ledger.ts';
import type { Command } from '../../src/ledger/rules/command.ts';
import { betOf, endRoundOf, rollbackOf } from '../environment/command-line.ts';
import { answerOf, credit, type Ledgers, openLedgers, orderTransfer, tally, wordOf } from './ledgers.ts';
import { readBooks } from './model/journal.ts';

let ledgers: Ledgers;
let real: Db;

beforeAll(async () => {
  ledgers = await openLedgers();
  real = ledgers.connect();
});

afterAll(() => ledgers.close());

/** A database connection that calls `after` after each statement with this name. */
function intercept(name: string, after: () => Promise<void> | void): Db {
  const query: Queryable['query'] = async (request, values) => {
    const result = await real.query(request, values);
    if (typeof request !== 'string' && request.name === name) await after();
    return result as never;
  };
  return { ...real, query };
}

it("an order gets 'outcome_unknown' if its commit is not confirmed; a repeat gets the outcome", async () => {
  const to = await ledgers.account();
  let isCut = true;
  const ledger = createLedger({
    db: intercept('write_plain', () => {
      if (isCut) throw new DatabaseUnavailableError('connection terminated');
    }),
  });
  expect(await credit(ledger, to, 'a')).toBe('outcome_unknown');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(1n);
  isCut = false;
  expect(await credit(ledger, to, 'b')).toBe('stored applied');
  expect(await credit(ledger, to, 'a')).toBe('repeated applied');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(2n);
});

it('a batch does not overwrite rows that another process wrote between its read and its write', async () => {
  const to = await ledgers.account();
  const other = ledgers.open();
  let writes = 0;
  const ledger = createLedger({
    db: intercept('select_accounts_of_one', async () => {
      writes++;
      expect(await credit(other, to, `between-${writes}`)).toBe('stored applied');
    }),
  });
  expect(await credit(ledger, to, 'mine')).toBe('stored applied');
  expect(writes).toBeGreaterThan(0);
  expect(ledger.counters.stale).toBeGreaterThan(0);
  expect(await ledgers.balance(to.packageId, to.account)).toBe(BigInt(writes) + 1n);
});

it('a refusal is decided again if another process wrote while the refusal was decided', async () => {
  const { packageId, account } = await ledgers.account();
  const other = ledgers.open();
  const say = async (ledger: Ledger, command: Command) =>
    wordOf(await answerOf(ledger.submit({ packageId, overdraftLimit: 0n, command })));
  await credit(other, { packageId, account }, 'fund');
  await say(other, betOf({ id: 'b', account, amount: 1n, round: 'r' }));
  let isFirst = true;
  const ledger = createLedger({
    db: intercept('select_bets_of_one', async () => {
      if (!isFirst) return;
      isFirst = false;
      expect(await say(other, rollbackOf({ id: 'x', account, of: 'b' }))).toBe('stored rolled_back');
      expect(await say(other, endRoundOf({ account, round: 'r' }))).toBe('stored closed');
    }),
  });
  const word = await say(ledger, rollbackOf({ id: 'y', account, of: 'b' }));
  expect(word).toBe('stored already_rolled_back');
});

it('committed orders are answered even if a refusal of the same batch cannot be decided again', async () => {
  const [to, played] = [await ledgers.account(), await ledgers.account()];
  const other = ledgers.open();
  const { packageId, account } = played;
  const order = (command: Command) => ({ packageId, overdraftLimit: 0n, command });
  await credit(other, played, 'fund');
  await other.submit(order(betOf({ id: 'b', account, amount: 1n, round: 'r' })));
  await other.submit(order(endRoundOf({ account, round: 'r' })));
  let reads = 0;
  const moving = intercept('select_bets_of_one', async () => {
    await credit(other, played, `between-${reads}`);
  });
  const query: Queryable['query'] = async (request, values) => {
    const isHead = typeof request !== 'string' && /^select_heads?$/.test(request.name ?? '');
    if (isHead && ++reads > 2) throw new DatabaseUnavailableError('gone', { neverSent: true });
    return moving.query(request, values);
  };
  const ledger = createLedger({ db: { ...real, query } });
  const refused = answerOf(ledger.submit(order(rollbackOf({ id: 'y', account, of: 'b' }))));
  expect(await credit(ledger, to, 'a')).toBe('stored applied');
  expect(wordOf(await refused)).toBe('unavailable');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(1n);
});

it('a process with an outdated cache succeeds at its second attempt, without locking the head', async () => {
  const to = await ledgers.account();
  const [one, other] = [ledgers.open(), ledgers.open()];
  expect(await credit(one, to, 'a')).toBe('stored applied');
  expect(await credit(other, to, 'b')).toBe('stored applied');
  expect(await credit(one, to, 'c')).toBe('stored applied');
  expect(one.counters).toMatchObject({ writes: 3, stale: 1, locked: 0, failed: 0 });
});

it.each([
  ['several packages per batch', {}],
  ['one package per batch', { onePackagePerBatch: true }],
])(
  'after a restore, a process detects that a journal row differs from its cached copy: %s',
  async (_way, options) => {
    const to = await ledgers.account();
    const [one, other] = [ledgers.open(options), ledgers.open(options)];
    const { packageId, account } = to;
    expect(await credit(one, to, 'kept')).toBe('stored applied');
    const tables = ['journal', 'accounts', 'ledger_heads'];
    for (const table of tables) {
      await ledgers.db.query(`create table old_${table} as table ${table}`);
    }
    expect(await credit(one, to, 'lost')).toBe('stored applied');
    // Simulates the restore of a backup, while the first process continues with its cache.
    await ledgers.db.transaction(async (tx) => {
      await tx.query('delete from journal where package_id = $1 and transaction_id = $2', [
        packageId,
        'lost',
      ]);
      await tx.query(
        `update accounts a set balance = o.balance, last_sequence = o.last_sequence
       from old_accounts o where o.package_id = a.package_id and o.id = a.id`,
      );
      await tx.query(
        `update ledger_heads h set sequence = o.sequence, hash = o.hash
       from old_ledger_heads o where o.package_id = h.package_id`,
      );
    });
    const order = { packageId, account, type: 'credit', amount: 7n, id: 'instead' } as const;
    expect(wordOf(await answerOf(other.submit(orderTransfer(order))))).toBe('stored applied');
    expect(await credit(one, to, 'next')).toBe('stored applied');
    expect(one.counters.stale).toBe(1);
    const { accounts, brokenLinks } = await readBooks(ledgers.db, packageId);
    expect(accounts.get(account)?.balance).toBe(9n);
    expect(brokenLinks).toEqual([]);
    for (const table of tables) await ledgers.db.query(`drop table old_${table}`);
  },
);

it("an order gets 'unavailable' if the database cannot be reached", async () => {
  const nowhere = openDb({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'test' });
  const ledger = createLedger({ db: nowhere });
  expect(await credit(ledger, { packageId: 1, account: 1001n }, 'a')).toBe('unavailable');
  await nowhere.end();
});

/** Resolves when the backends have ended, so that no later query is sent to one of them. */
const endBackends = () =>
  ledgers.db.query(
    `select pg_terminate_backend(pid, 600000) from pg_stat_activity
     where datname = current_database() and application_name = 'counterfoil ledger'`,
  );

/** The number of ledger backends that wait for a lock. */
async function countLockedOut(): Promise<bigint | undefined> {
  const { rows } = await ledgers.db.query<{ count: bigint }>(
    `select count(*) as count from pg_stat_activity
     where datname = current_database() and application_name = 'counterfoil ledger'
       and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count;
}

it("an order gets 'outcome_unknown' if its backend ends before the commit; a repeat is applied", async () => {
  const to = await ledgers.account();
  const ledger = ledgers.open();
  expect(await credit(ledger, to, 'warm')).toBe('stored applied');
  const said = await ledgers.db.transaction(async (tx) => {
    await tx.query('select 1 from ledger_heads where package_id = $1 for update', [to.packageId]);
    const waiting = credit(ledger, to, 'cut');
    await eventually(async () => expect(await countLockedOut()).toBe(1n));
    await endBackends();
    return waiting;
  });
  expect(said).toBe('outcome_unknown');
  expect(await ledgers.balance(to.packageId, to.account)).toBe(1n);
  expect(await credit(ledger, to, 'cut')).toBe('stored applied');
});

it('retried ids are applied exactly once while backends are terminated under load', async () => {
  const to = await ledgers.account();
  const processes = [ledgers.open(), ledgers.open()];
  const failures: string[] = [];
  let sent = 0;
  let applied = 0;
  let isOver = false;
  const caller = async (name: number) => {
    for (let i = 0; i < 10 || !isOver; i++) {
      sent++;
      for (let tries = 0; ; tries++) {
        const ledger = processes[(name + tries) % 2] as Ledger;
        const word = await credit(ledger, to, `${name}-${i}`);
        if (/^(?:stored|repeated) applied$/.test(word)) break;
        failures.push(word);
        await new Promise((resolve) => setImmediate(resolve));
      }
      applied++;
    }
  };
  /**
   * Terminates the database backends at least ten times, until a batch has failed. Orders are applied between
   * two terminations.
   */
  const axe = async () => {
    for (let blow = 0; blow < 10 || (failures.length === 0 && blow < 500); blow++) {
      const before = applied;
      await eventually(() => expect(applied).toBeGreaterThan(before));
      await endBackends();
    }
    isOver = true;
  };
  await Promise.all([axe(), ...Array.from({ length: 32 }, (_, name) => caller(name))]);
  expect(failures.length).toBeGreaterThan(0);
  expect(
    Object.keys(tally(failures)).filter((word) => !/^(?:outcome_unknown|unavailable)$/.test(word)),
  ).toEqual([]);
  const { rows, accounts, brokenLinks, head } = await readBooks(ledgers.db, to.packageId);
  expect(accounts.get(to.account)?.balance).toBe(BigInt(sent));
  expect(rows).toHaveLength(sent + 1);
  expect(brokenLinks).toEqual([]);
  expect(head).toEqual({ sequence: BigInt(rows.length), isLastHash: true });
});

it('a batch on cached data needs one round trip, and a repeat of its orders writes nothing', async () => {
  const to = await ledgers.account();
  let trips = 0;
  const query: Queryable['query'] = (request, values) => {
    trips++;
    return real.query(request, values);
  };
  const ledger = createLedger({ db: { ...real, query } });
  await credit(ledger, to, 'warm');
  trips = 0;
  const ids = Array.from({ length: 30 }, (_, i) => `w${i}`);
  await Promise.all(ids.map((id) => credit(ledger, to, id)));
  expect(trips).toBe(1);
  const { writes } = ledger.counters;
  expect(tally(await Promise.all(ids.map((id) => credit(ledger, to, id))))).toEqual({
    'repeated applied': 30,
  });
  expect(ledger.counters.writes).toBe(writes);
});
