// The legs of a provider's call become ledger commands, with ids in the id space of their connection.
import { describe, expect, it } from 'vitest';
import { type Movement, promoAccountOf } from '../ledger/rules/movement.ts';
import type { Leg, PlayCall } from './dialects/dialect.ts';
import { hashKey, resolveName, toBatch } from './to-batch.ts';

const account = 1001n;
const limits = { blockedBy: undefined, maxStake: undefined };
const bet: Leg = { type: 'bet', key: 'b', transactionId: 'b', amount: 5n, purse: 'cash' };
const win: Leg = {
  type: 'win',
  key: 'w',
  transactionId: 'w',
  amount: 7n,
  purse: 'cash',
  betKey: 'b',
  needsOpenRound: false,
};
const rollback: Leg = {
  type: 'rollback',
  key: 'x',
  transactionId: 'x',
  purse: 'cash',
  originalKey: 'b',
  undoes: 'bets',
};
const end: Leg = { type: 'end_round' };

const callOf = (legs: readonly Leg[], given: Partial<PlayCall> = {}): PlayCall => ({
  kind: 'play',
  playerId: 'player-1',
  session: { token: undefined, needs: 'nothing' },
  legs,
  gameId: 'dice',
  roundId: 'r',
  roundFinished: false,
  ...given,
});
const legsOf = (legs: readonly Leg[], given: Partial<PlayCall> = {}, connection = 'con_1') =>
  toBatch(connection, callOf(legs, given), account, limits).legs;

describe('the legs of a call', () => {
  it('the legs keep the order, amounts, ids, game and round of the call', () => {
    const shared = { account, gameId: 'dice', round: { id: 'r' }, roundFinished: false };
    expect(legsOf([bet, win, rollback, end])).toMatchObject([
      { ...shared, type: 'bet', transactionId: 'b', amount: 5n },
      { ...shared, type: 'win', transactionId: 'w', amount: 7n, isReversible: true, needsOpenRound: false },
      { ...shared, type: 'rollback', transactionId: 'x', undoes: 'bets' },
      { ...shared, type: 'end_round', transactionId: 'r', roundFinished: true },
    ]);
  });

  it('the legs of a call refer to each other by the hashes of their ids', () => {
    const [first, second, third] = legsOf([bet, win, rollback]);
    expect(second).toMatchObject({ referenceHash: first?.idHash });
    expect(third).toMatchObject({ referenceHash: first?.idHash, referenceAsWinHash: first?.idHash });
  });

  it('the legs of a call have different ids and a different round in each connection', () => {
    const ours = legsOf([bet, win, rollback, end]);
    const others = legsOf([bet, win, rollback, end], {}, 'con_2');
    const ids = [...ours, ...others].map(({ idHash }) => idHash);
    expect(new Set(ids).size).toBe(8);
    expect(new Set([...ours, ...others].map(({ round }) => round?.hash)).size).toBe(2);
  });

  it('the legs of a call move money of the promo account if they name the promo purse', () => {
    const inPromo = [bet, win, rollback].map((leg) => ({ ...leg, purse: 'promo' }) as Leg);
    expect(legsOf(inPromo).map((leg) => leg.account)).toEqual(Array(3).fill(promoAccountOf(account)));
    expect(legsOf([bet, win, rollback]).map((leg) => leg.account)).toEqual(Array(3).fill(account));
  });

  it('only the last leg of a call closes the round', () => {
    const closing = (legs: Leg[]) => legsOf(legs, { roundFinished: true }).map((leg) => leg.roundFinished);
    expect(closing([bet, win, rollback])).toEqual([false, false, true]);
    expect(closing([bet])).toEqual([true]);
  });

  it('the legs of a call have neither a round nor a reference if the call names neither', () => {
    const [first] = legsOf([{ ...win, betKey: undefined }], { roundId: undefined });
    expect(first).toMatchObject({ round: undefined, referenceHash: undefined });
  });
});

it('a bet leg contains the block and the maximum stake of the player', () => {
  const { legs } = toBatch('con_1', callOf([bet]), account, { blockedBy: 'player_blocked', maxStake: 4n });
  expect(legs).toMatchObject([{ blockedBy: 'player_blocked', maxStake: 4n }]);
});

it('a batch is marked as one transaction only if the call is marked as one transaction', () => {
  const isOne = (given: Partial<PlayCall>) =>
    toBatch('con_1', callOf([bet], given), account, limits).isOneTransaction;
  expect([isOne({}), isOne({ isOneTransaction: true })]).toEqual([false, true]);
});

it('the command that ends a round has one id per player and round', () => {
  const idOf = (roundId: string, player: bigint) =>
    toBatch('con_1', callOf([end], { roundId }), player, limits).legs[0]?.idHash;
  const ids = [idOf('r', 1001n), idOf('r', 1002n), idOf('s', 1001n)];
  expect(new Set(ids).size).toBe(3);
  expect(idOf('r', 1001n)).toBe(ids[0]);
});

it('a call that ends a round but names no round causes an exception', () => {
  expect(() => legsOf([end], { roundId: undefined })).toThrow('names no round');
});

describe('the maximum stake of a call', () => {
  const promo: Leg = { ...bet, key: 'p', amount: 3n, purse: 'promo' };
  const limited = (given: Partial<PlayCall>) =>
    toBatch('con_1', callOf([bet, promo], given), account, { blockedBy: undefined, maxStake: 7n });

  it('the maximum stake limits each of several bets', () => {
    expect(limited({})).toMatchObject({ maxStake: undefined, legs: [{ maxStake: 7n }, { maxStake: 7n }] });
  });

  it('the maximum stake of one transaction limits the sum of its cash and promo money', () => {
    const legs = [{ maxStake: undefined }, { maxStake: undefined }];
    expect(limited({ isOneTransaction: true })).toMatchObject({ maxStake: 7n, legs });
  });
});

describe('the parts of a round', () => {
  const promo: Leg = { ...bet, key: 'p', purse: 'promo' };
  const partsOf = (legs: Leg[], given: Partial<PlayCall>) =>
    legsOf(legs, { usesPromo: true, ...given }).map((leg) => [leg.roundFinished, leg.otherPart]);

  it('the last leg of a finished round also ends the part of the other purse', () => {
    const roundFinished = true;
    expect(partsOf([bet], { roundFinished })).toEqual([[true, promoAccountOf(account)]]);
    expect(partsOf([promo, bet], { roundFinished })).toEqual([
      [false, account],
      [true, promoAccountOf(account)],
    ]);
  });

  it('in an open round, only a promo leg names the other part, which is the cash account', () => {
    expect(partsOf([promo, bet], {})).toEqual([
      [false, account],
      [false, undefined],
    ]);
  });

  it('a leg has no other part without a round, without promo money, or if it only ends the round', () => {
    expect(partsOf([promo], { roundId: undefined })).toEqual([[false, undefined]]);
    expect(partsOf([end], { roundFinished: true })).toEqual([[true, undefined]]);
    expect(partsOf([promo, bet], { roundFinished: true, usesPromo: false })).toEqual([
      [false, undefined],
      [true, undefined],
    ]);
  });
});

describe('the names of a call', () => {
  it('a name and a key with the same text have the same hash', () => {
    const [first, second] = legsOf([
      { ...bet, nameKey: 'n' },
      { ...bet, key: 'n' },
    ]);
    expect(first?.nameHash).toBe(second?.idHash);
    expect(second?.nameHash).toBeUndefined();
  });

  it('a rollback contains the hashes of all names of the transaction that it undoes', () => {
    const [first, second] = legsOf([bet, { ...rollback, originalKey: 'r', originalNames: ['b', 'c'] }]);
    expect(second).toMatchObject({ referenceNames: [first?.idHash, expect.any(String)] });
    expect(legsOf([rollback])[0]).toMatchObject({ referenceNames: undefined });
  });

  it('absentHashes has the hashes of the absent keys, and is undefined without absent keys', () => {
    const batch = toBatch('con_1', callOf([bet], { absentKeys: ['b'] }), account, limits);
    expect(batch.absentHashes).toEqual([batch.legs[0]?.idHash]);
    expect(toBatch('con_1', callOf([bet]), account, limits).absentHashes).toBeUndefined();
  });
});

describe('a known name', () => {
  const leg = { ...bet, nameKey: 'n', isKnownByName: false } as Leg;
  const movement = (more: object = {}) => {
    const [stored] = legsOf([{ ...bet, key: 'stored' }]);
    return {
      ...{ idHash: stored?.idHash, roundHash: stored?.round?.hash, gameId: 'dice' },
      ...{ debitAccount: account, creditAccount: 2n, debitBalance: 0n, creditBalance: 0n, ...more },
    } as unknown as Movement;
  };
  const resolve = (legs: readonly Leg[], index: number, more: object = {}, name = 'n') => {
    const call = callOf(legs);
    const command = toBatch('con_1', call, account, limits);
    const known = { kind: 'name_known', leg: index, hash: hashKey('con_1', name) } as const;
    const resolved = resolveName(call, command, known, movement(more));
    return 'conflict' in resolved ? resolved.conflict : resolved.command.legs;
  };

  it('a leg that is known only by its name becomes a repeat of the movement with this name', () => {
    const legs = resolve([bet, { ...leg, isKnownByName: true } as Leg], 1);
    expect(legs).toMatchObject([
      { idHash: hashKey('con_1', 'b') },
      { idHash: hashKey('con_1', 'stored'), nameHash: undefined },
    ]);
  });

  it('a bet with a known name is a conflict', () => {
    expect(resolve([leg], 0)).toBe('transaction_id');
  });

  it.each([
    ['player_id', { debitAccount: account + 1n }],
    ['round_id', { roundHash: 'other' }],
    ['game_id', { gameId: 'other' }],
  ])('a win or rollback with a known name is a conflict if its %s differs', (field, more) => {
    for (const each of [win, rollback]) {
      expect(resolve([{ ...each, nameKey: 'n' } as Leg], 0, more)).toBe(field);
    }
  });

  it('a win or rollback with a known name keeps its id if player, game and round are the same', () => {
    const promo = { debitAccount: promoAccountOf(account) };
    for (const each of [win, rollback]) {
      const legs = resolve([{ ...each, nameKey: 'n' } as Leg], 0, promo);
      expect(legs).toMatchObject([{ idHash: hashKey('con_1', each.type === 'win' ? 'w' : 'x') }]);
      expect(legs).toMatchObject([{ nameHash: undefined }]);
    }
  });

  it('a rollback refers to the movement that has the name of the transaction to undo', () => {
    const named = { ...rollback, nameKey: 'own', originalNames: ['n'] } as Leg;
    const stored = hashKey('con_1', 'stored');
    expect(resolve([named], 0)).toMatchObject([
      { referenceHash: stored, referenceAsWinHash: stored, nameHash: hashKey('con_1', 'own') },
    ]);
  });
});

describe('the request of a call', () => {
  const requestOf = (requestId: string | undefined, connection = 'con_1') =>
    toBatch(connection, callOf([bet], requestId === undefined ? {} : { requestId }), account, limits)
      .requestHash;

  it('the hash of a request depends on the request id and on the connection', () => {
    expect(requestOf('q')).toMatch(/^[0-9a-f]{32}$/);
    expect(requestOf('q')).not.toBe(requestOf('q', 'con_2'));
    expect(requestOf('q')).not.toBe(requestOf('p'));
  });

  it('the command has no request hash if the call has no request id', () => {
    expect(requestOf(undefined)).toBeUndefined();
  });
});
