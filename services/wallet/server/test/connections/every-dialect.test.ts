// Rules of every dialect: repeats, concurrent calls, calls in any order, tombstones, failures and paused
// connections.
import { parseMasterKey } from '@counterfoil/kit/crypto/secrets';
import { DatabaseUnavailableError } from '@counterfoil/kit/postgres/database-unavailable';
import { eventually } from '@counterfoil/kit/testing/eventually';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WalletDeps } from '../../src/app.ts';
import { operator } from '../../src/audit/audit-event.ts';
import {
  editConnection,
  removeConnection,
  rotateConnection,
} from '../../src/connections/change-connections.ts';
import { type DialectName, dialectNames, type Secrets } from '../../src/connections/dialects/dialect.ts';
import { dialects } from '../../src/connections/dialects/dialects.ts';
import { LedgerFailure } from '../../src/ledger/engine/ledger.ts';
import {
  type DialectDriver,
  type DialectPlayer,
  noFunds,
  openDriver,
  retryable,
} from '../environment/dialect-drivers.ts';
import { type Given, type GivenPackage, givenWallet } from '../environment/given.ts';
import { readBooks } from '../ledger/model/journal.ts';

let given: Given;
let owner: GivenPackage;
const drivers = new Map<DialectName, DialectDriver>();

beforeAll(async () => {
  given = await givenWallet();
  owner = await given.package({ credit: '100000.00' });
  for (const name of dialectNames) drivers.set(name, await openDriver(given, owner, name));
});

afterAll(() => given.close());

let rounds = 0;

describe.each(dialectNames)('in the dialect %s', (name) => {
  const givenPlayer = async (balance?: string) => {
    const driver = drivers.get(name) as DialectDriver;
    const player = await driver.player(balance === undefined ? {} : { balance });
    const round = `${name}-${++rounds}`;
    return { player, round, driver };
  };
  const cents = async (player: { balance(): Promise<{ balance: number | undefined }> }) =>
    (await player.balance()).balance;

  it('after a bet and a win, the dialect and the wallet’s own API show the same balance', async () => {
    const { player, round } = await givenPlayer();
    expect(await player.bet({ id: `${round}-b`, amount: 1000, round })).toMatchObject({
      ok: true,
      balance: 9000,
    });
    const win = { id: `${round}-w`, bet: `${round}-b`, amount: 2550, round };
    expect(await player.win(win)).toMatchObject({ ok: true, balance: 11_550 });
    const read = await given.app.inject({
      url: `/api/v1/user/balance?player_id=${player.playerId}`,
      headers: owner.headers,
    });
    expect(read.json().data.balance).toBe(115.5);
  });

  it('16 equal bets at the same time move the money once and get the same answer', async () => {
    const { player, round } = await givenPlayer();
    const bet = { id: `${round}-b`, amount: 1000, round };
    const answers = await Promise.all(Array.from({ length: 16 }, () => player.bet(bet)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]).toMatchObject({ ok: true, balance: 9000 });
    expect(await cents(player)).toBe(9000);
  });

  it('if the balance covers 10 of 20 concurrent bets, exactly 10 are accepted', async () => {
    const { player, round } = await givenPlayer();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => player.bet({ id: `${round}-${i}`, amount: 1000, round })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(new Set(answers.filter(({ ok }) => !ok).map(({ code }) => code))).toEqual(
      new Set([noFunds[name]]),
    );
    expect(await cents(player)).toBe(0);
  });

  it('a bet that repeats the id of an earlier bet with a different amount moves nothing', async () => {
    const { player, round } = await givenPlayer();
    await player.bet({ id: `${round}-b`, amount: 1000, round });
    expect(await player.bet({ id: `${round}-b`, amount: 1001, round })).toMatchObject({ ok: false });
    expect(await cents(player)).toBe(9000);
  });

  it('a rollback returns a bet once, for any number of repeats', async () => {
    const { player, round } = await givenPlayer();
    await player.bet({ id: `${round}-b`, amount: 1000, round });
    const rollback = { id: `${round}-r`, of: `${round}-b`, round };
    for (let times = 0; times < 3; times++) {
      expect(await player.rollback(rollback)).toMatchObject({ ok: true, balance: 10_000 });
    }
    expect(await cents(player)).toBe(10_000);
  });

  it('a bet that arrives after its rollback is refused', async () => {
    const { player, round } = await givenPlayer();
    await player.rollback({ id: `${round}-r`, of: `${round}-b`, round });
    expect(await player.bet({ id: `${round}-b`, amount: 1000, round })).toMatchObject({ ok: false });
    expect(await cents(player)).toBe(10_000);
  });

  it('a bet above the balance is refused with the code for missing funds', async () => {
    const { player, round } = await givenPlayer('5.00');
    const refused = await player.bet({ id: `${round}-b`, amount: 501, round });
    expect(refused).toMatchObject({ ok: false, code: noFunds[name] });
    expect(await cents(player)).toBe(500);
  });

  it('a blocked player cannot bet, but gets wins and rollbacks', async () => {
    const { player, round } = await givenPlayer();
    for (const id of ['b', 'c']) await player.bet({ id: `${round}-${id}`, amount: 1000, round });
    await setStatus(player.playerId, 'blocked');
    expect(await player.bet({ id: `${round}-d`, amount: 1000, round })).toMatchObject({ ok: false });
    const rollback = await player.rollback({ id: `${round}-r`, of: `${round}-c`, round });
    expect(rollback).toMatchObject({ ok: true, balance: 9000 });
    const win = { id: `${round}-w`, bet: `${round}-b`, amount: 500, round };
    expect(await player.win(win)).toMatchObject({ ok: true, balance: 9500 });
  });

  it.each(['overloaded', 'unavailable', 'outcome_unknown', 'internal_error'] as const)(
    'a failure of the wallet (%s) gets the code for "try again", and the same id succeeds later',
    async (code) => {
      const { player, round } = await givenPlayer();
      const bet = { id: `${round}-b`, amount: 1000, round };
      const submit = vi.spyOn(given.ledger, 'submitBatch').mockRejectedValueOnce(new LedgerFailure(code));
      const failed = await player.bet(bet);
      submit.mockRestore();
      expect(failed).toMatchObject({ ok: false, code: retryable[name] });
      expect(await player.bet(bet)).toMatchObject({ ok: true, balance: 9000 });
    },
  );

  it('a player of another package is unknown', async () => {
    const other = await given.package();
    const stranger = await given.player(other, { balance: '100.00' });
    const { player, driver } = await givenPlayer();
    void player;
    await expect(driver.player({ playerId: stranger })).rejects.toThrow('no such player');
  });

  const target = (id: string) => ({ packageId: owner.id, actor: operator, at: given.clock.now, id });
  const deps = () => ({ masterKey: parseMasterKey(given.masterKeyText), dialects });

  it('a paused connection refuses a bet, and accepts the bet after the connection was resumed', async () => {
    const driver = await openDriver(given, owner, name);
    const player = await driver.player();
    const round = `${name}-${++rounds}`;
    await changeState(driver, 'paused');
    await eventually(async () => expect(await player.balance()).toMatchObject({ ok: false }));
    expect(await player.bet({ id: `${round}-b`, amount: 1000, round })).toMatchObject({ ok: false });
    await changeState(driver, 'active');
    await eventually(async () => expect(await player.balance()).toMatchObject({ ok: true }));
    expect(await player.bet({ id: `${round}-b`, amount: 1000, round })).toMatchObject({ ok: true });
  });

  const changeState = (driver: DialectDriver, state: 'active' | 'paused') =>
    given.db.transaction((tx) => editConnection(tx, deps(), target(driver.connection.id), { state }));

  it('a call to a deleted connection gets the same answer as a call to an unknown URL', async () => {
    const driver = await openDriver(given, owner, name);
    const player = await driver.player();
    await given.db.transaction((tx) => removeConnection(tx, deps(), target(driver.connection.id)));
    await eventually(async () => {
      const { body } = await player.balance();
      expect(JSON.parse(body)).toMatchObject({ code: 'route_not_found' });
    });
  });

  it('old credentials are accepted after a rotation, unless the rotation has an overlap of 0', async () => {
    const driver = await openDriver(given, owner, name);
    const player = await driver.player();
    const isOk = async () => (await player.balance()).ok;
    const byDialect: Record<DialectName, Secrets> = {
      valkyrie: { token: 'another-token' },
      softswiss: { token: 'another-token' },
      hub88: {},
      slotegrator: { merchant_key: 'another-key' },
    };
    const fresh = byDialect[name];
    await given.db.transaction((tx) =>
      rotateConnection(tx, deps(), { ...target(driver.connection.id), overlap: '24h', secrets: fresh }),
    );
    expect(await isOk()).toBe(true);
    if (name === 'hub88') return;
    await given.db.transaction((tx) =>
      rotateConnection(tx, deps(), { ...target(driver.connection.id), overlap: '0', secrets: fresh }),
    );
    await eventually(async () => expect(await isOk()).toBe(false));
  });
});

async function setStatus(playerId: string, status: 'active' | 'blocked'): Promise<void> {
  const answer = await given.app.inject({
    method: 'POST',
    url: '/api/v1/user/status',
    headers: owner.headers,
    payload: { player_id: playerId, status },
  });
  expect(answer.statusCode).toBe(200);
}

it('while the database is down, every dialect gets its own code for "try again"', async () => {
  let ms = 0;
  const parts = { deps: (each: WalletDeps) => ({ ...each, monotonicMs: () => ms }) };
  const wallet = await givenWallet({}, {}, undefined, parts);
  onTestFinished(wallet.close);
  const of = await wallet.package();
  const openPlayer = async (name: DialectName) => (await openDriver(wallet, of, name)).player();
  const players = new Map<DialectName, DialectPlayer>();
  for (const name of dialectNames) players.set(name, await openPlayer(name));
  for (const player of players.values()) expect(await player.balance()).toMatchObject({ ok: true });
  ms = 60_000;
  const query = vi.spyOn(wallet.db, 'query').mockRejectedValue(new DatabaseUnavailableError('down'));
  for (const [name, player] of players) {
    const { ok, code, body } = await player.balance();
    expect([ok, code, body.includes('"request_id"')]).toEqual([false, retryable[name], false]);
  }
  query.mockRestore();
  for (const player of players.values()) expect(await player.balance()).toMatchObject({ ok: true });
});

it('connections can share transaction ids and round ids, and the hash chain stays intact', async () => {
  const playerId = await given.player(owner, { balance: '100.00' });
  for (const name of dialectNames) {
    const player = await (drivers.get(name) as DialectDriver).player({ playerId });
    expect(await player.bet({ id: 'the-same', amount: 100, round: 'the-same' })).toMatchObject({ ok: true });
  }
  const books = await readBooks(given.db, owner.id);
  expect(books.brokenLinks).toEqual([]);
  expect([...books.accounts.values()].reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
});
