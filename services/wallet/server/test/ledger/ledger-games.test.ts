// Bets, wins, rollbacks and rounds as the database stores them between batches.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPromoAccount } from '../../src/ledger/accounts.ts';
import type { Ledger } from '../../src/ledger/engine/ledger.ts';
import { findMovementOfRequest, findMovementsByName } from '../../src/ledger/queries.ts';
import type { Command, GameCommand } from '../../src/ledger/rules/command.ts';
import { hashId } from '../../src/ledger/rules/ids.ts';
import { promoAccountOf } from '../../src/ledger/rules/movement.ts';
import {
  betOf,
  endRoundOf,
  rollbackOf,
  sharedIds,
  topUpOf,
  transferOf,
  winOf,
} from '../environment/command-line.ts';
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

  it('a rolled-back bet accepts no win, even if a tombstone of another player has the same id', async () => {
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

describe('a request that was stored with a different bet', () => {
  it('a request with a stored request id but a different bet moves no money in any process', async () => {
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

describe('an order that also reads the balance of a second account', () => {
  const bet = async (packageId: number, account: bigint, id: string, by = ledger) => {
    const command = { type: 'batch', legs: [betOf({ id, account, amount: 1n, round: 'r' })] } as const;
    const alsoReads = promoAccountOf(account);
    const receipt = await by.submitBatch({ packageId, overdraftLimit: 0n, command, alsoReads });
    if (receipt?.outcome.kind !== 'batch') throw new Error('the bet was not stored');
    return { promo: receipt.alsoRead, sequence: receipt.outcome.legs[0]?.movement.sequence ?? 0n };
  };
  const credit = (packageId: number, account: bigint, id: string, by: Ledger) =>
    submit(packageId, transferOf('credit', { id, account: promoAccountOf(account), amount: 3n }), by);

  it('the receipt has the second account’s balance, which is 0 until a process credits it', async () => {
    const { packageId, ann } = await givenPlayers();
    const other = ledgers.open();
    const promos = [(await bet(packageId, ann, 'b1')).promo];
    await openPromoAccount(ledgers.db, packageId, ann);
    promos.push((await bet(packageId, ann, 'b2')).promo);
    expect(await credit(packageId, ann, 'c1', other)).toBe('stored applied');
    promos.push((await bet(packageId, ann, 'b3')).promo);
    expect(await credit(packageId, ann, 'c2', ledger)).toBe('stored applied');
    promos.push((await bet(packageId, ann, 'b4')).promo, (await bet(packageId, ann, 'b5', other)).promo);
    expect(promos).toEqual([0n, 0n, 3n, 6n, 6n]);
  });

  it('with two processes, each receipt has the balance at the journal position of its bet', async () => {
    const { packageId, ann } = await givenPlayers();
    const other = ledgers.open();
    const both = [ledger, other];
    const at = (i: number) => both[i % 2] ?? ledger;
    const first = await Promise.all(Array.from({ length: 8 }, (_, i) => bet(packageId, ann, `a${i}`, at(i))));
    await openPromoAccount(ledgers.db, packageId, ann);
    const [bets] = await Promise.all([
      Promise.all(Array.from({ length: 30 }, (_, i) => bet(packageId, ann, `b${i}`, at(i)))),
      Promise.all(Array.from({ length: 10 }, (_, i) => credit(packageId, ann, `c${i}`, at(i + 1)))),
    ]);
    const { rows } = await ledgers.db.query<{ sequence: bigint }>(
      'select sequence from journal where package_id = $1 and credit_account = $2',
      [packageId, promoAccountOf(ann)],
    );
    expect(rows).toHaveLength(10);
    for (const { promo, sequence } of [...first, ...bets]) {
      expect(promo).toBe(3n * BigInt(rows.filter((row) => row.sequence < sequence).length));
    }
  });
});

describe('the name of a transaction', () => {
  const name = (id: string) => hashId('connection:c', `name ${id}`);
  const betNamed = (id: string, account: bigint) => ({
    ...sharedIds.betOf({ id, account, amount: 5n, round: 'r' }),
    nameHash: name(id),
  });
  /** A rollback that knows only the name of its original. */
  const undoNamed = (id: string, of: string, account: bigint) => ({
    ...sharedIds.rollbackOf({ id, of, account }),
    ...{ referenceHash: name(of), referenceAsWinHash: name(of), referenceNames: [name(of)] },
    undoes: 'open_bets' as const,
  });
  const send = async (packageId: number, legs: GameCommand[], by = ledger) => {
    const receipt = await by.submitBatch({ packageId, overdraftLimit: 0n, command: { type: 'batch', legs } });
    const outcome = receipt?.outcome;
    return outcome?.kind === 'batch' ? outcome.legs.map(({ movement }) => movement.result) : outcome;
  };

  it('a look-up by name finds the movement, and every process knows a name that is stored', async () => {
    const { packageId, ann } = await givenPlayers();
    const legs = [
      betNamed('p', ann),
      betNamed('b', ann),
      sharedIds.betOf({ id: 'x', account: ann, amount: 1n }),
    ];
    expect(await send(packageId, legs)).toEqual(['applied', 'applied', 'applied']);
    const names = [name('p'), name('b'), name('none'), legs[0]?.idHash ?? ''];
    const found = await findMovementsByName(ledgers.db, packageId, names);
    expect([...found].map(([key, { transactionId }]) => [key, transactionId])).toEqual([
      [name('p'), 'p'],
      [name('b'), 'b'],
    ]);
    const known = { kind: 'name_known', leg: 0, hash: name('b') };
    for (const by of [ledger, ledgers.open(), ledgers.open({ onePackagePerBatch: true })]) {
      expect(await send(packageId, [{ ...betNamed('c', ann), nameHash: name('b') }], by)).toEqual(known);
      expect(await send(packageId, [undoNamed('u', 'b', ann)], by)).toEqual(known);
    }
    expect(await ledgers.balance(packageId, ann)).toBe(89n);
  });

  it('a bet is refused in every process if a tombstone has the name of the bet', async () => {
    const { packageId, ann } = await givenPlayers();
    expect(await send(packageId, [undoNamed('u', 'b', ann)])).toEqual(['tombstoned']);
    for (const by of [ledger, ledgers.open(), ledgers.open({ onePackagePerBatch: true })]) {
      expect(await send(packageId, [betNamed('b', ann)], by)).toMatchObject({ code: 'bet_rolled_back' });
    }
  });

  it.each([
    ['two processes', {}],
    ['two processes with one package per batch', { onePackagePerBatch: true }],
    ['two processes with a small cache', { maxGames: 2, maxMovements: 2 }],
  ])('a bet and a rollback that names the bet are never both applied, in %s', async (_name, options) => {
    const { packageId, ann } = await givenPlayers();
    const both = [ledgers.open(options), ledgers.open(options)] as const;
    const races = Array.from({ length: 12 }, async (_, i) => {
      const id = `race-${i}`;
      const [one, two] = i % 2 === 0 ? both : [both[1], both[0]];
      const [bet, undo] = await Promise.all([
        send(packageId, [betNamed(id, ann)], one),
        send(packageId, [undoNamed(`undo-${id}`, id, ann)], two),
      ]);
      const hasBet = Array.isArray(bet);
      expect(undo).toEqual(hasBet ? { kind: 'name_known', leg: 0, hash: name(id) } : ['tombstoned']);
      if (!hasBet) expect(bet).toMatchObject({ kind: 'leg_refused', code: 'bet_rolled_back' });
      return hasBet ? 5n : 0n;
    });
    const staked = (await Promise.all(races)).reduce<bigint>((sum, stake) => sum + stake, 0n);
    expect(await ledgers.balance(packageId, ann)).toBe(100n - staked);
  });

  it('only one of 16 bets with the same name is applied if they arrive at two processes', async () => {
    const { packageId, ann } = await givenPlayers();
    const both = [ledgers.open(), ledgers.open()];
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        send(packageId, [{ ...betNamed(`many-${i}`, ann), nameHash: name('one') }], both[i % 2]),
      ),
    );
    expect(outcomes.filter(Array.isArray)).toHaveLength(1);
    expect(await ledgers.balance(packageId, ann)).toBe(95n);
  });

  it('a repeat that lacks a leg is a conflict if the id or the name of that leg is stored', async () => {
    const { packageId, ann } = await givenPlayers();
    const [cash, promo] = [betNamed('cash', ann), betNamed('promo', ann)];
    await send(packageId, [promo, cash]);
    for (const by of [ledger, ledgers.open()]) {
      for (const absent of [promo.idHash, promo.nameHash]) {
        const command = {
          type: 'batch',
          legs: [cash],
          isOneTransaction: true,
          absentHashes: [absent],
        } as const;
        const receipt = await by.submitBatch({ packageId, overdraftLimit: 0n, command });
        expect(receipt?.outcome).toEqual({ kind: 'leg_conflict', leg: 0, field: 'amount' });
      }
    }
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

  it('a bet that ends a round on one account of a player also ends it on the other account', async () => {
    const { packageId, ann, bob } = await givenPlayers();
    await submit(packageId, betOf({ id: '1', amount: 5n, account: bob, round: 'r' }));
    const end = {
      ...betOf({ id: '2', amount: 5n, account: ann, round: 'r', finished: true }),
      otherPart: bob,
    };
    expect(await submit(packageId, end, ledgers.open())).toBe('stored applied');
    expect((await findRound(packageId)).map(({ state }) => state)).toEqual([1, 1]);
    const late = betOf({ id: '3', amount: 5n, account: bob, round: 'r' });
    expect(await submit(packageId, late)).toBe('round_closed');
  });

  it('a round does not count a bet whose rollback named no round', async () => {
    const { packageId, ann } = await givenPlayers();
    await submit(packageId, betOf({ id: '1', amount: 5n, account: ann, round: 'r' }));
    await submit(packageId, rollbackOf({ id: '2', of: '1', account: ann }));
    expect((await findRound(packageId))[0]?.bet_total).toBe(0n);
  });

  it('a round in the database does not count a bet whose rollback named a different round', async () => {
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
