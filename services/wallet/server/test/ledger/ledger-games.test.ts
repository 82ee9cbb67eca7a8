// Bets, wins, rollbacks and rounds as the database stores them between batches.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/engine/ledger.ts';
import { findMovementOfRequest } from '../../src/ledger/queries.ts';
import type { Command } from '../../src/ledger/rules/command.ts';
import { hashId } from '../../src/ledger/rules/ids.ts';
import { betOf, endRoundOf, rollbackOf, topUpOf, transferOf, winOf } from '../environment/command-line.ts';
import { answerOf, type Ledgers, openLedgers, wordOf } from './ledgers.ts';

let ledgers: Ledgers;
let ledger: Ledger;

beforeAll(async () => {
  ledgers = await openLedgers();
  ledger = ledgers.open();
});

afterAll(() => ledgers.close());

const submit = async (packageId: number, command: Command, by = ledger) =>
  wordOf(await answerOf(by.submit({ packageId, overdraftLimit: 0n, command })));

async function givenPlayers(): Promise<{ packageId: number; ann: bigint; bob: bigint }> {
  const packageId = await ledgers.package(1000n);
  const [ann, bob] = [await ledgers.player(packageId), await ledgers.player(packageId)];
  for (const account of [ann, bob]) {
    const credit = transferOf('credit', { id: `fund-${account}`, account, amount: 100n });
    expect(await submit(packageId, credit)).toBe('stored applied');
  }
  return { packageId, ann, bob };
}

describe('the state of a bet is found in a later batch', () => {
  it('a bet is rolled back once, and no win is credited for it afterwards', async () => {
    const { packageId, ann } = await givenPlayers();
    expect(await submit(packageId, betOf({ id: 'b', account: ann, amount: 5n }))).toBe('stored applied');
    const rollback = (id: string) => rollbackOf({ id, account: ann, of: 'b' });
    expect(await submit(packageId, rollback('r1'))).toBe('stored rolled_back');
    expect(await submit(packageId, rollback('r1'))).toBe('repeated rolled_back');
    expect(await submit(packageId, rollback('r2'))).toBe('stored already_rolled_back');
    const win = winOf({ id: 'w', account: ann, amount: 9n, of: 'b' });
    expect(await submit(packageId, win)).toBe('bet_rolled_back');
    expect(await ledgers.balance(packageId, ann)).toBe(100n);
  });

  it('a rolled-back bet accepts no win, even if another player has sent a rollback of its id', async () => {
    const { packageId, ann, bob } = await givenPlayers();
    const said = [
      await submit(packageId, rollbackOf({ id: 'r0', account: bob, of: 'b' })),
      await submit(packageId, betOf({ id: 'b', account: ann, amount: 5n })),
      await submit(packageId, rollbackOf({ id: 'r1', account: ann, of: 'b' })),
      await submit(packageId, winOf({ id: 'w', account: ann, amount: 9n, of: 'b' })),
    ];
    expect(said).toEqual(['stored tombstoned', 'stored applied', 'stored rolled_back', 'bet_rolled_back']);
  });
});

describe('a request that was stored with another bet', () => {
  it('a request with a stored request id and another bet moves no money in any process', async () => {
    const { packageId, ann } = await givenPlayers();
    const requestHash = hashId('request:c', 'q');
    const send = async (id: string, by = ledger) => {
      const legs = [betOf({ id, account: ann, amount: 5n, round: 'r' })];
      const command = { type: 'batch', legs, requestHash } as const;
      return (await by.submitBatch({ packageId, overdraftLimit: 0n, command }))?.outcome;
    };
    const first = await send('b');
    expect(first).toMatchObject({ kind: 'batch', legs: [{ kind: 'stored' }] });
    const other = ledgers.open();
    for (const by of [ledger, other]) {
      expect(await send('c', by)).toEqual({ kind: 'request_repeated' });
      expect(await send('b', by)).toMatchObject({ kind: 'batch', legs: [{ kind: 'repeated' }] });
    }
    expect(await ledgers.balance(packageId, ann)).toBe(95n);
    const found = await findMovementOfRequest(ledgers.db, packageId, requestHash);
    expect(found).toMatchObject({ transactionId: 'b', amount: 5n });
  });

  it('16 requests with one request id and different bets to two processes move money once', async () => {
    const { packageId, ann } = await givenPlayers();
    const requestHash = hashId('request:c', 'race');
    const both = [ledgers.open(), ledgers.open()];
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => {
        const legs = [betOf({ id: `race-${i}`, account: ann, amount: 5n })];
        const command = { type: 'batch', legs, requestHash } as const;
        return (await both[i % 2]?.submitBatch({ packageId, overdraftLimit: 0n, command }))?.outcome.kind;
      }),
    );
    expect(outcomes.filter((kind) => kind === 'batch')).toHaveLength(1);
    expect(outcomes.filter((kind) => kind === 'request_repeated')).toHaveLength(15);
    expect(await ledgers.balance(packageId, ann)).toBe(95n);
  });
});

describe('bets of a closed round cannot be rolled back', () => {
  it('a rollback that names no round cannot roll back a bet of a closed round', async () => {
    const { packageId, ann } = await givenPlayers();
    await submit(packageId, betOf({ id: 'b', account: ann, amount: 5n, round: 'r' }));
    await submit(packageId, endRoundOf({ account: ann, round: 'r' }));
    const rollback = rollbackOf({ id: 'x', account: ann, of: 'b' });
    expect(await submit(packageId, rollback)).toBe('bet_already_settled');
  });

  it('a closed round is not confused with an open round of another package in the same batch', async () => {
    const here = await givenPlayers();
    const there = await givenPlayers();
    const bet = betOf({ id: 'b', account: here.ann, amount: 5n, round: 'r' });
    expect(await submit(here.packageId, bet)).toBe('stored applied');
    const end = endRoundOf({ account: here.ann, round: 'r' });
    expect(await submit(here.packageId, end)).toBe('stored closed');
    const [, rolledBack] = await Promise.all([
      submit(there.packageId, betOf({ id: 'b', account: there.ann, amount: 5n, round: 'r' })),
      submit(here.packageId, rollbackOf({ id: 'x', account: here.ann, of: 'b' })),
    ]);
    expect(rolledBack).toBe('bet_already_settled');
    expect(await ledgers.balance(here.packageId, here.ann)).toBe(95n);
  });
});

describe('a round in the database', () => {
  const findRound = async (packageId: number) => {
    const { rows } = await ledgers.db.query<{
      game_id: string | null;
      bet_total: bigint;
      win_total: bigint;
      state: number;
    }>(
      `select game_id, bet_total, win_total, state from rounds where package_id = $1
       order by round_id`,
      [packageId],
    );
    return rows;
  };

  it('a round has the totals of the bets and wins that moved money', async () => {
    const { packageId, ann } = await givenPlayers();
    const round = { account: ann, round: 'r', game: 'g' };
    await submit(packageId, betOf({ id: '1', amount: 5n, ...round }));
    await submit(packageId, betOf({ id: '2', amount: 500n, ...round }));
    await submit(packageId, betOf({ id: '3', amount: 7n, ...round }));
    await submit(packageId, rollbackOf({ id: '4', of: '3', ...round }));
    await submit(packageId, winOf({ id: '5', of: '1', amount: 11n, ...round }));
    await submit(packageId, endRoundOf(round));
    expect(await findRound(packageId)).toEqual([{ game_id: 'g', bet_total: 5n, win_total: 11n, state: 1 }]);
  });

  it('a round in the database has a game even if only its second movement names the game', async () => {
    const { packageId, ann } = await givenPlayers();
    await submit(packageId, betOf({ id: '1', amount: 5n, account: ann, round: 'r' }));
    await submit(packageId, betOf({ id: '2', amount: 5n, account: ann, round: 'r', game: 'g' }));
    expect((await findRound(packageId))[0]?.game_id).toBe('g');
  });

  it('a round does not count a bet whose rollback named no round', async () => {
    const { packageId, ann } = await givenPlayers();
    await submit(packageId, betOf({ id: '1', amount: 5n, account: ann, round: 'r' }));
    await submit(packageId, rollbackOf({ id: '2', of: '1', account: ann }));
    expect((await findRound(packageId))[0]?.bet_total).toBe(0n);
  });

  it('a round in the database does not count a bet whose rollback named another round', async () => {
    const { packageId, ann } = await givenPlayers();
    await submit(packageId, betOf({ id: '1', amount: 5n, account: ann, round: 'r' }));
    await submit(packageId, betOf({ id: '2', amount: 3n, account: ann, round: 's' }));
    const rollback = rollbackOf({ id: '3', of: '1', account: ann, round: 's', finished: true });
    await submit(packageId, rollback);
    const rounds = await findRound(packageId);
    expect(rounds.map(({ bet_total, state }) => [bet_total, state])).toEqual([
      [0n, 2],
      [3n, 1],
    ]);
  });
});

it('each order of a batch is decided with its own overdraft limit', async () => {
  const packageId = await ledgers.package(0n);
  const account = await ledgers.player(packageId);
  const topUp = topUpOf('top_up', { id: 't', amount: 1n });
  const credit = transferOf('credit', { id: 'c', account, amount: 5n });
  const said = await Promise.all([
    answerOf(ledger.submit({ packageId, overdraftLimit: 0n, command: topUp })),
    answerOf(ledger.submit({ packageId, overdraftLimit: 10n, command: credit })),
  ]);
  expect(said.map(wordOf)).toEqual(['stored applied', 'stored applied']);
});

it('a refusal contains the current balance, even if another process has just changed it', async () => {
  const { packageId, ann } = await givenPlayers();
  const other = ledgers.open();
  await submit(packageId, transferOf('debit', { id: 'd', account: ann, amount: 90n }), other);
  const command = winOf({ id: 'w', account: ann, amount: 1n, of: 'never' });
  const receipt = await ledger.submit({ packageId, overdraftLimit: 0n, command });
  expect(receipt?.outcome).toEqual({ kind: 'refused', code: 'bet_not_found', balance: 10n });
});

it('an order of an unknown package gets no receipt, and the rest of its batch is applied', async () => {
  const { packageId, ann } = await givenPlayers();
  const command = transferOf('credit', { id: 'c', account: ann, amount: 1n });
  const said = await Promise.all([submit(2_000_000_000, command), submit(packageId, command)]);
  expect(said).toEqual(['no account', 'stored applied']);
});
