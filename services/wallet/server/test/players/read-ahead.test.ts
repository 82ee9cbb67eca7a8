// A process caches players after its start, so that calls need no look-up. Rows that are outdated are not
// cached.
import type { Db } from '@counterfoil/kit/postgres/db';
import { captureLog } from '@counterfoil/kit/testing/captured-log';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/engine/ledger.ts';
import { openLedgerDb } from '../../src/ledger/open-ledger-db.ts';
import { createPlayer } from '../../src/players/create-player.ts';
import { erasePlayer } from '../../src/players/erase-player.ts';
import { createAccountFinder } from '../../src/players/find-account.ts';
import { selectAccountsOfPlayers } from '../../src/players/queries.ts';
import { readAhead, readAheadLater } from '../../src/players/read-ahead.ts';
import { answerOf, type Ledgers, openLedgers, orderTransfer, wordOf } from '../ledger/ledgers.ts';

let ledgers: Ledgers;
const open: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ledgers = await openLedgers();
});

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

afterAll(() => ledgers.close());

interface Limits {
  readonly maxEntries: number;
  readonly maxAccounts: number;
  readonly pageSize: number;
}

/**
 * Starts a ledger with its cache of players, as in one process. `asked` contains the names of the queries
 * that the ledger and the cache send.
 */
async function startProcess(options: Partial<Limits> & { now?: () => Date; onGap?: () => void } = {}) {
  const asked: string[] = [];
  /** The players about which this process has received a notification of a change. */
  const invalidated: string[] = [];
  const watched = (db: Db): Db => ({
    ...db,
    query: ((query: { name?: string }, ...rest: never[]) => {
      asked.push(query.name ?? '');
      return db.query(query as never, ...rest);
    }) as Db['query'],
  });
  const { logger } = captureLog('wallet');
  const ledgerDb = openLedgerDb({ url: ledgers.url, logger, onePackage: false });
  const { maxAccounts, now, pageSize } = options;
  const ledger = createLedger({
    db: watched(ledgerDb),
    ...(maxAccounts && { maxAccounts }),
    ...(now && { now }),
  });
  const db = watched(ledgers.db);
  const accounts = await createAccountFinder({
    db,
    ledger,
    directUrl: ledgers.url,
    onError: () => {},
    statuses: {
      invalidate: (key) => void invalidated.push(key),
      clear: () => options.onGap?.(),
    },
    ...(options.maxEntries && { maxEntries: options.maxEntries }),
  });
  open.push(async () => {
    await accounts.close();
    await ledgerDb.end();
  });
  const signal = new AbortController().signal;
  return {
    ledger,
    accounts,
    db,
    asked,
    invalidated,
    read: () => readAhead({ db, ledger, accounts, logger, ...(pageSize && { pageSize }) }, signal),
  };
}

/** Creates players with accounts in two statements. */
async function givenManyPlayers(count: number) {
  const packageId = await ledgers.package(1_000_000n);
  const numbers = 'from generate_series(1, $2::int) as n';
  const values = [packageId, count];
  await ledgers.db.query(`insert into accounts (package_id, id) select $1, 1000000 + n ${numbers}`, values);
  const { rows } = await ledgers.db.query<{ player_id: string; account_id: bigint }>(
    `insert into players (package_id, account_id, player_id)
     select $1, 1000000 + n, 'many-' || n ${numbers} returning player_id, account_id`,
    values,
  );
  const players = rows.map((row) => ({ playerId: row.player_id, account: row.account_id }));
  return { packageId, players };
}

async function givenPlayers(count: number) {
  const packageId = await ledgers.package(1_000_000n);
  const players: { playerId: string; account: bigint }[] = [];
  for (let i = 0; i < count; i++) {
    const playerId = `p${packageId}-${i}`;
    const { player } = await createPlayer(ledgers.db, { packageId, playerId }, new Date());
    players.push({ playerId, account: player.accountId });
  }
  return { packageId, players, first: players[0] as (typeof players)[number] };
}

/** Suspends all packages except these, so that the read-ahead loads no players of other tests. */
const leaveOnly = (...packageIds: number[]) =>
  ledgers.db.query(`update packages set state = 'suspended' where id <> all ($1)`, [packageIds]);

let counter = 0;
const send = async (
  ledger: Ledger,
  wanted: { packageId: number; account: bigint; type: 'credit' | 'debit'; amount: bigint },
) => wordOf(await answerOf(ledger.submit(orderTransfer({ ...wanted, id: `t${++counter}` }))));

it('after the read-ahead of several pages of players, their orders need no look-up', async () => {
  const { packageId, players } = await givenManyPlayers(2103);
  const { ledger, accounts, asked, read } = await startProcess();
  await read();
  expect(asked.filter((name) => name === 'select_newest_players').length).toBeGreaterThan(2);
  for (const { playerId, account } of players) {
    expect(accounts.peek(packageId, playerId)).toBe(account);
  }
  const before = asked.length;
  for (const { account } of players.slice(0, 3)) {
    expect(await send(ledger, { packageId, account, type: 'credit', amount: 5n })).toBe('stored applied');
  }
  expect(asked.slice(before)).toEqual(['write_plain', 'write_plain', 'write_plain']);
});

it('a look-up of a player also caches the balance, so that the next batch need not read it', async () => {
  const { packageId, first } = await givenPlayers(2);
  const { ledger, accounts, asked } = await startProcess();
  await ledger.readHead(packageId);
  expect(await accounts.find(packageId, first.playerId)).toBe(first.account);
  const order = { packageId, account: first.account, amount: 5n };
  expect(await send(ledger, { ...order, type: 'credit' })).toBe('stored applied');
  expect(asked).toEqual(['select_head', 'select_accounts_of_players', 'write_plain']);
});

it('a balance is not used if another process changed the balance after the read', async () => {
  const { packageId, first } = await givenPlayers(1);
  const { account } = first;
  const [mine, other] = [await startProcess(), await startProcess()];
  expect(await send(other.ledger, { packageId, account, type: 'credit', amount: 700n })).toBe(
    'stored applied',
  );
  await mine.ledger.readHead(packageId);
  const found = await mine.accounts.load(packageId, async () => {
    const read = await selectAccountsOfPlayers(ledgers.db, packageId, [first.playerId]);
    await send(other.ledger, { packageId, account, type: 'debit', amount: 700n });
    return read;
  });
  expect(found[0]?.state.balance).toBe(700n);
  expect(await send(mine.ledger, { packageId, account, type: 'debit', amount: 700n })).toBe(
    'stored insufficient_funds',
  );
  expect(await ledgers.balance(packageId, account)).toBe(0n);
});

it('an older balance from a read does not replace a newer balance that this process wrote', async () => {
  const { packageId, first } = await givenPlayers(1);
  const { account } = first;
  const { ledger, accounts } = await startProcess();
  await ledger.readHead(packageId);
  await accounts.load(packageId, async () => {
    const read = await selectAccountsOfPlayers(ledgers.db, packageId, [first.playerId]);
    await send(ledger, { packageId, account, type: 'credit', amount: 300n });
    return read;
  });
  expect(await send(ledger, { packageId, account, type: 'debit', amount: 300n })).toBe('stored applied');
  expect(await ledgers.balance(packageId, account)).toBe(0n);
});

it('an older balance from a read is not used if its account was moved and evicted meanwhile', async () => {
  const { packageId, players, first } = await givenPlayers(30);
  const { ledger, accounts } = await startProcess({ maxAccounts: 13 });
  await ledger.readHead(packageId);
  const own = { packageId, account: first.account, amount: 3n };
  // The number of movements in the meantime decides which accounts are evicted.
  for (let meanwhile = 1; meanwhile < players.length; meanwhile++) {
    expect(await send(ledger, { ...own, type: 'credit' })).toBe('stored applied');
    await accounts.load(packageId, async () => {
      const read = await selectAccountsOfPlayers(ledgers.db, packageId, [first.playerId]);
      expect(await send(ledger, { ...own, type: 'debit' })).toBe('stored applied');
      for (const { account } of players.slice(1, meanwhile + 1)) {
        await send(ledger, { packageId, account, type: 'credit', amount: 1n });
      }
      return read;
    });
    expect(await send(ledger, { ...own, type: 'debit' })).toBe('stored insufficient_funds');
  }
});

it('a balance that was read from a lagging standby is not used', async () => {
  const { packageId, first } = await givenPlayers(1);
  const { account } = first;
  const other = await startProcess();
  await send(other.ledger, { packageId, account, type: 'credit', amount: 700n });
  const behind = await selectAccountsOfPlayers(ledgers.db, packageId, [first.playerId]);
  await send(other.ledger, { packageId, account, type: 'debit', amount: 700n });
  const mine = await startProcess();
  await mine.ledger.readHead(packageId);
  await mine.accounts.load(packageId, async () => behind);
  expect(await send(mine.ledger, { packageId, account, type: 'debit', amount: 700n })).toBe(
    'stored insufficient_funds',
  );
  expect(await ledgers.balance(packageId, account)).toBe(0n);
});

/** Terminates the connection for notifications. The process detects this and connects again. */
const makeDeaf = () =>
  eventually(async () => {
    const { rowCount } = await ledgers.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'counterfoil listen players'`,
    );
    expect(rowCount).toBe(1);
  });

it('a process that may have missed a notification clears its cache and discards running reads', async () => {
  const { packageId, first, players } = await givenPlayers(2);
  let gaps = 0;
  const { accounts } = await startProcess({ onGap: () => gaps++ });
  expect(await accounts.find(packageId, first.playerId)).toBe(first.account);
  await makeDeaf();
  await eventually(() => expect(accounts.size()).toBe(0));
  await accounts.load(packageId, async () => {
    const ids = players.map(({ playerId }) => playerId);
    const read = await selectAccountsOfPlayers(ledgers.db, packageId, ids);
    const before = gaps;
    await makeDeaf();
    await eventually(() => expect(gaps).toBeGreaterThan(before));
    return read;
  });
  expect(accounts.size()).toBe(0);
  expect(await accounts.find(packageId, first.playerId)).toBe(first.account);
});

it('the read-ahead can be stopped before it starts', async () => {
  await givenPlayers(1);
  const { accounts, db, ledger, asked } = await startProcess();
  const { logger, lines } = captureLog('wallet');
  await readAheadLater({ db, ledger, accounts, logger }, 600_000).stop();
  expect([lines, asked]).toEqual([[], []]);
});

it('the read-ahead can be stopped while it reads', async () => {
  await givenPlayers(1);
  const { accounts, db, ledger } = await startProcess();
  const { logger, lines } = captureLog('wallet');
  let isRead = () => {};
  const read = new Promise<void>((resolve) => {
    isRead = resolve;
  });
  const slow = {
    ...db,
    query: ((...given: Parameters<Db['query']>) => {
      isRead();
      return db.query(...given);
    }) as Db['query'],
  };
  const reading = readAheadLater({ db: slow, ledger, accounts, logger }, 0);
  await read;
  await reading.stop();
  expect(lines).toEqual([]);
});

it('a player who is erased during the read is not cached under the old id', async () => {
  const { packageId, first, players } = await givenPlayers(2);
  const { accounts, invalidated } = await startProcess();
  const ids = players.map(({ playerId }) => playerId);
  await accounts.load(packageId, async () => {
    const read = await selectAccountsOfPlayers(ledgers.db, packageId, ids);
    await erasePlayer(ledgers.db, { packageId, playerId: first.playerId });
    // Waits for the notification of the erasure. The notification and the answer arrive over different
    // connections.
    await eventually(() => expect(invalidated).toContain(`${packageId}:${first.playerId}`));
    return read;
  });
  expect(accounts.peek(packageId, first.playerId)).toBeUndefined();
  expect(await accounts.find(packageId, first.playerId)).toBeUndefined();
  expect(accounts.peek(packageId, players[1]?.playerId ?? '')).toBe(players[1]?.account);
});

it('a cached player who is erased is removed from the cache', async () => {
  const { packageId, first } = await givenPlayers(1);
  const { accounts } = await startProcess();
  expect(await accounts.find(packageId, first.playerId)).toBe(first.account);
  await erasePlayer(ledgers.db, { packageId, playerId: first.playerId });
  await expect.poll(() => accounts.peek(packageId, first.playerId)).toBeUndefined();
});

it('the read-ahead stops when the cache is 90% full, and prefers the newest players', async () => {
  const { packageId, players } = await givenManyPlayers(200);
  await leaveOnly(packageId);
  const { accounts, read } = await startProcess({ maxEntries: 100 });
  await read();
  expect(accounts.size()).toBe(90);
  const isCached = players.map(({ playerId }) => accounts.peek(packageId, playerId) !== undefined);
  expect(isCached.indexOf(true)).toBe(110);
});

it('the read-ahead loads the players who moved last, each once, in all packages', async () => {
  const [one, two] = [await givenPlayers(30), await givenPlayers(30)];
  await leaveOnly(one.packageId, two.packageId);
  let seconds = 0;
  const writer = await startProcess({ now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)) });
  // The order of movements is: players 0 to 29 of both packages in turn, then players 4 and 2 again.
  const moving = [...one.players.keys(), 4, 2].flatMap((i) => [one, two].map((each) => ({ each, i })));
  for (const { each, i } of moving) {
    const { packageId, players } = each;
    const { account } = players[i] as (typeof players)[number];
    await send(writer.ledger, { packageId, account, type: 'credit', amount: 1n });
  }
  const { accounts, asked, read } = await startProcess({ maxEntries: 20, pageSize: 1 });
  await read();
  expect(accounts.size()).toBe(18);
  for (const { packageId, players } of [one, two]) {
    const cached = players.flatMap(({ playerId }, i) => (accounts.peek(packageId, playerId) ? [i] : []));
    expect(cached).toEqual([2, 4, 23, 24, 25, 26, 27, 28, 29]);
  }
  expect(asked.filter((name) => name === 'select_newest_players')).toEqual([]);
});

it('players whose last movement is older than the movements that were read are loaded too', async () => {
  const { packageId, players } = await givenPlayers(30);
  await leaveOnly(packageId);
  const writer = await startProcess();
  const accountAt = (i: number) => players[i]?.account ?? 0n;
  await send(writer.ledger, { packageId, account: accountAt(3), type: 'credit', amount: 9n });
  for (let i = 0; i < 60; i++) {
    await send(writer.ledger, { packageId, account: accountAt(20), type: 'credit', amount: 1n });
  }
  const { accounts, ledger, asked, read } = await startProcess({ maxEntries: 40 });
  await read();
  expect(accounts.size()).toBe(30);
  const before = asked.length;
  for (const i of [3, 20, 29]) {
    await send(ledger, { packageId, account: accountAt(i), type: 'credit', amount: 1n });
  }
  expect(asked.slice(before)).toEqual(['write_plain', 'write_plain', 'write_plain']);
});

it('orders of more players than fit in memory are applied, and memory stays within its limit', async () => {
  const { packageId, players } = await givenManyPlayers(300);
  const { accounts, ledger } = await startProcess({ maxEntries: 40, maxAccounts: 40 });
  for (let times = 0; times < 3; times++) {
    await Promise.all(
      players.map(async ({ playerId, account: expected }) => {
        const account = (await accounts.find(packageId, playerId)) ?? 0n;
        expect(account).toBe(expected);
        const order = { packageId, account, type: 'credit', amount: 2n } as const;
        expect(await send(ledger, order)).toBe('stored applied');
      }),
    );
    expect(accounts.size()).toBe(40);
  }
  for (const { account } of players.slice(0, 5)) {
    expect(await ledgers.balance(packageId, account)).toBe(6n);
  }
});
