// The legs of a batch are applied in order: all of them, or none.

import { seedOfRun } from '@counterfoil/kit/testing/seed-of-run';
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import {
  ann,
  betOf,
  betWinOf,
  bob,
  endRoundOf,
  rollbackOf,
  winOf,
} from '../../../test/environment/command-line.ts';
import { findBatchFault } from '../../../test/ledger/model/check-leg-batches.ts';
import type { GameCommand } from './command.ts';
import { decideBatch } from './decide-batch.ts';
import { maxBalance } from './movement.ts';
import { createAssumed, createState } from './state.ts';

const bet = (id: string, amount: bigint) => betOf({ id, amount, round: 'r' });
const win = (id: string, amount: bigint) => winOf({ id, amount, round: 'r' });

describe('a batch', () => {
  it('a batch applies its legs in order, so that a win can pay for a later bet', () => {
    const books = createBooks({ ann: 10n });
    const { words, stored } = books.applyBatch(bet('b', 10n), win('w', 25n), bet('c', 20n));
    expect([words, stored]).toEqual([['applied', 'applied', 'applied'], 3]);
    expect(books.balance(ann)).toBe(5n);
  });

  it('a batch writes nothing if one leg lacks funds, and answers with the balance before the batch', () => {
    const books = createBooks({ ann: 100n });
    const answer = books.applyBatch(bet('b', 60n), bet('c', 60n));
    expect(answer).toMatchObject({ words: ['leg 1 insufficient_funds'], stored: 0, balance: 100n });
    expect(books.balance(ann)).toBe(100n);
    expect(books.apply(bet('b', 60n)).word).toBe('applied');
  });

  it.each([
    ['a blocked player', [betOf({ id: 'b', amount: 1n, blockedBy: 'player_blocked' })], 'player_blocked'],
    ['a stake above the limit', [betOf({ id: 'b', amount: 3n, maxStake: 2n })], 'bet_limit'],
    ['a win above the balance limit', [winOf({ id: 'w', amount: maxBalance })], 'balance_limit'],
    ['a win for an unknown bet', [winOf({ id: 'w', amount: 1n, of: 'none' })], 'bet_not_found'],
    [
      'a bet in the round that an earlier leg ended',
      [endRoundOf({ round: 'r' }), bet('c', 1n)],
      'round_closed',
    ],
  ])('a batch writes nothing if a leg is refused: %s', (_name, legs, code) => {
    const books = createBooks({ ann: 10n });
    const answer = books.applyBatch(bet('first', 2n), ...legs);
    expect(answer).toMatchObject({ words: [`leg ${legs.length} ${code}`], stored: 0, balance: 10n });
    expect(books.balance(ann)).toBe(10n);
  });

  it('a batch stores no refusal, so the same ids can succeed later', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(bet('b', 20n)).words).toEqual(['leg 0 insufficient_funds']);
    books.apply(winOf({ id: 'gift', amount: 10n }));
    expect(books.applyBatch(bet('b', 20n)).words).toEqual(['applied']);
  });

  it('a repeat of a batch is answered with the first movements and moves nothing', () => {
    const books = createBooks({ ann: 10n });
    const first = books.applyBatch(bet('b', 10n), win('w', 3n));
    books.apply(winOf({ id: 'gift', amount: 50n }));
    const again = books.applyBatch(bet('b', 10n), win('w', 3n));
    expect(again).toMatchObject({ words: ['repeated applied', 'repeated applied'], stored: 0 });
    expect(again.sequences).toEqual(first.sequences);
    expect(books.balance(ann)).toBe(53n);
  });

  it('a batch applies its new legs if its other legs were stored before', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(bet('b', 10n));
    expect(books.applyBatch(bet('b', 10n), win('w', 3n)).words).toEqual(['repeated applied', 'applied']);
    expect(books.balance(ann)).toBe(3n);
  });

  it('a batch writes nothing if its request was stored before with different legs', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyRequest('q', bet('b', 4n)).words).toEqual(['applied']);
    for (const leg of [bet('c', 1n), bet('d', 100n), win('w', 1n)]) {
      expect(books.applyRequest('q', leg)).toMatchObject({ words: ['request_repeated'], stored: 0 });
    }
    expect(books.applyRequest('q', bet('b', 4n), bet('c', 1n)).words).toEqual(['request_repeated']);
    expect(books.balance(ann)).toBe(6n);
  });

  it('a batch that repeats a request gets the first movements, or a conflict if its content differs', () => {
    const books = createBooks({ ann: 10n });
    const first = books.applyRequest('q', bet('b', 4n));
    expect(books.applyRequest('q', bet('b', 4n))).toMatchObject({
      words: ['repeated applied'],
      sequences: first.sequences,
    });
    expect(books.applyRequest('q', bet('b', 5n)).words).toEqual(['leg 0 conflict amount']);
  });

  it('a refused batch, or a batch that only repeats stored legs, does not store its request id', () => {
    const books = createBooks({ ann: 10n });
    books.applyRequest('q', bet('b', 100n));
    expect(books.applyRequest('q', bet('c', 1n)).words).toEqual(['applied']);
    books.applyRequest('p', bet('c', 1n));
    expect(books.applyRequest('p', bet('d', 1n)).words).toEqual(['applied']);
  });

  it('a batch that is one transaction writes nothing if only some of its legs were stored before', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(bet('b', 4n));
    const answer = books.applyTransaction(bet('b', 4n), bet('c', 1n));
    expect(answer).toMatchObject({ words: ['leg 0 conflict amount'], stored: 0 });
    expect(books.balance(ann)).toBe(6n);
    expect(books.applyTransaction(bet('b', 4n)).words).toEqual(['repeated applied']);
  });

  it('a batch that is one transaction writes nothing if the stored transaction has one more leg', () => {
    const books = createBooks({ ann: 10n });
    const [cash, promo] = [bet('b', 4n), bet('c', 1n)];
    books.applyTransaction(cash, promo);
    const lacking = { legs: [cash], isOneTransaction: true, absentHashes: [promo.idHash] };
    expect(books.applyCommand(lacking)).toMatchObject({ words: ['leg 0 conflict amount'], stored: 0 });
    const other = { ...lacking, absentHashes: [bet('d', 1n).idHash] };
    expect(books.applyCommand(other).words).toEqual(['repeated applied']);
    const fresh = { ...lacking, legs: [bet('e', 1n)] };
    expect(books.applyCommand(fresh).words).toEqual(['applied']);
  });

  it('a batch applies a leg once if two legs of the batch have the same id and content', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(bet('b', 4n), bet('b', 4n)).words).toEqual(['applied', 'repeated applied']);
    expect(books.balance(ann)).toBe(6n);
  });

  it('a batch writes nothing if a leg has the id of an earlier command but different content', () => {
    const books = createBooks({ ann: 10n });
    books.apply(bet('b', 4n));
    const answer = books.applyBatch(bet('c', 1n), bet('b', 5n));
    expect(answer).toMatchObject({ words: ['leg 1 conflict amount'], stored: 0 });
    expect(books.balance(ann)).toBe(6n);
  });

  it('a batch moves no money of any account if one leg is refused', () => {
    const books = createBooks({ ann: 10n, bob: 1n });
    const legs = [bet('b', 4n), betOf({ id: 'c', amount: 2n, account: bob })];
    expect(books.applyBatch(...legs)).toMatchObject({ words: ['leg 1 insufficient_funds'], balance: 1n });
    expect([books.balance(ann), books.balance(bob)]).toEqual([10n, 1n]);
  });

  it('a batch rolls back a bet of the same batch', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(bet('b', 4n), rollbackOf({ id: 'x', of: 'b' })).words).toEqual([
      'applied',
      'rolled_back',
    ]);
    expect(books.balance(ann)).toBe(10n);
  });
});

describe('the maximum stake of a batch', () => {
  const promo = betOf({ id: 'p', amount: 3n, account: bob });
  const stake = (maxStake: bigint, ...legs: GameCommand[]) => ({ legs, maxStake, isOneTransaction: true });

  it('the maximum stake limits the sum of the bets, and is checked before the funds', () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const answer = books.applyCommand(stake(7n, promo, bet('b', 5n)));
    expect(answer).toMatchObject({ words: ['leg 0 bet_limit'], stored: 0, balance: 10n });
    expect(books.applyCommand(stake(7n, bet('x', 50n))).words).toEqual(['leg 0 bet_limit']);
    expect(books.applyCommand(stake(8n, promo, bet('b', 5n))).words).toEqual(['applied', 'applied']);
  });

  it('the stake includes the bet of a bet_win, but no wins', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyCommand(stake(5n, bet('b', 5n), win('w', 90n))).words).toEqual(['applied', 'applied']);
    expect(books.applyCommand(stake(0n, win('v', 1n), bet('c', 1n))).words).toEqual(['leg 1 bet_limit']);
    const both = betWinOf({ id: 'bw', bet: 6n, win: 1n });
    expect(books.applyCommand(stake(5n, both)).words).toEqual(['leg 0 bet_limit']);
    expect(books.applyCommand(stake(6n, both)).words).toEqual(['applied']);
  });

  it('a bet of a blocked player is refused for the block, even if it exceeds the maximum stake', () => {
    const books = createBooks({ ann: 10n });
    const blocked = betOf({ id: 'b', amount: 9n, blockedBy: 'player_blocked' });
    expect(books.applyCommand(stake(5n, blocked)).words).toEqual(['leg 0 player_blocked']);
  });

  it('the maximum stake does not refuse a repeat, and a repeat with one more leg is a conflict', () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.applyCommand(stake(7n, bet('b', 5n)));
    expect(books.applyCommand(stake(1n, bet('b', 5n))).words).toEqual(['repeated applied']);
    expect(books.applyCommand(stake(1n, promo, bet('b', 5n))).words).toEqual(['leg 1 conflict amount']);
  });
});

describe('the name of a leg', () => {
  const named = (id: string, nameHash: string) => ({ ...bet(id, 2n), nameHash });
  const undo = (id: string, reference: string, ...referenceNames: string[]) => ({
    ...rollbackOf({ id, of: reference, round: 'r' }),
    referenceNames,
  });
  const tombstoneOf = (hash: string) => ({
    ...rollbackOf({ id: `undo ${hash}`, of: hash }),
    referenceHash: hash,
  });

  it('a name belongs to one movement: a batch with a known name writes nothing', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(named('b', 'n')).words).toEqual(['applied']);
    const answer = books.applyBatch(bet('first', 1n), named('c', 'n'));
    expect(answer).toMatchObject({ words: ['leg 1 name_known n'], stored: 0 });
    expect(books.applyBatch(named('b', 'n')).words).toEqual(['repeated applied']);
    expect(books.applyBatch(named('b', 'other')).words).toEqual(['repeated applied']);
    expect(books.applyBatch(named('c', 'other')).words).toEqual(['applied']);
    expect(books.balance(ann)).toBe(6n);
  });

  it('a name is not stored if the batch is refused', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(named('b', 'n'), bet('c', 100n));
    expect(books.applyBatch(named('c', 'n')).words).toEqual(['applied']);
  });

  it('a known name is reported before the funds and the block of the player are checked', () => {
    const books = createBooks({ ann: 2n });
    books.applyBatch(named('b', 'n'));
    const poor = { ...named('c', 'n'), blockedBy: 'player_blocked' } as const;
    expect(books.applyBatch(poor).words).toEqual(['leg 0 name_known n']);
  });

  it('a bet is refused if an earlier rollback of the same player refers to the name of the bet', () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.applyBatch(tombstoneOf('n'));
    expect(books.applyBatch(named('b', 'n')).words).toEqual(['leg 0 bet_rolled_back']);
    const ofBob = { ...betOf({ id: 'c', amount: 2n, account: bob }), nameHash: 'n' };
    expect(books.applyBatch(ofBob).words).toEqual(['applied']);
  });

  it('a rollback with an unknown reference writes nothing and reports which of its names is known', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(named('b', 'n'));
    expect(books.applyBatch(undo('u', 'none', 'm', 'n'))).toMatchObject({
      words: ['leg 0 name_known n'],
      stored: 0,
    });
    expect(books.applyBatch(undo('u', 'b', 'n')).words).toEqual(['rolled_back']);
    expect(books.applyBatch(undo('u', 'other', 'n')).words).toEqual(['repeated rolled_back']);
  });

  it('rollbacks in one batch do not use their names if the last rollback has a known reference', () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.applyBatch(named('b', 'n'), bet('c', 1n));
    const words = books.applyBatch(undo('u', 'none', 'n'), undo('v', 'c', 'm')).words;
    expect(words).toEqual(['tombstoned', 'rolled_back']);
    expect(books.applyBatch(named('d', 'm')).words).toEqual(['applied']);
  });

  it('a rollback of an unknown bet stores a tombstone for its reference and for its first name', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(undo('u', 'none', 'n', 'm')).words).toEqual(['tombstoned']);
    expect(books.applyBatch(named('b', 'n')).words).toEqual(['leg 0 bet_rolled_back']);
    expect(books.applyBatch(bet('none', 1n)).words).toEqual(['leg 0 bet_rolled_back']);
    expect(books.applyBatch(named('c', 'm')).words).toEqual(['applied']);
  });

  it('a name is stored under the house account, and a tombstone under the account of the player', () => {
    const books = createBooks({ ann: 10n });
    const { records } = books.applyBatch(named('b', 'n'), bet('c', 1n));
    expect(records).toEqual(['named n of 2']);
    const known = rollbackOf({ id: '', of: 'none' }).referenceHash;
    expect(books.applyBatch({ ...undo('u', 'none', 'm'), nameHash: 'u' }).records).toEqual([
      'named u of 2',
      `tombstoned m of ${ann}`,
    ]);
    expect(books.applyBatch(undo('v', 'unseen', known)).records).toEqual([`tombstoned ${known} of ${ann}`]);
    expect(
      books.applyBatch({ ...undo('w', 'x'), referenceHash: 'same', referenceNames: ['same'] }).records,
    ).toEqual([]);
  });

  it('rollbacks in one batch look up the names of all legs if the last leg has an unknown reference', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(named('b', 'n'), bet('c', 1n));
    const legs = [undo('u', 'none', 'n'), undo('v', 'c'), undo('w', 'unseen')];
    expect(books.applyBatch(...legs).words).toEqual(['leg 0 name_known n']);
  });

  it("a rollback that names another player's bet does not undo the bet", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.applyBatch(named('b', 'n'));
    const ofBob = { ...undo('u', 'b', 'n'), account: bob };
    expect(books.applyBatch(ofBob).words).toEqual(['tombstoned']);
    expect([books.balance(ann), books.balance(bob)]).toEqual([8n, 10n]);
  });
});

describe('the parts of a round that end together', () => {
  const ofBob = (id: string, more: object = {}) => ({
    ...betOf({ id, amount: 1n, account: bob, round: 'r' }),
    ...more,
  });
  const end = { ...bet('end', 0n), roundFinished: true, otherPart: bob };
  const given = () => createBooks({ ann: 10n, bob: 10n });
  const statuses = (books: ReturnType<typeof given>) =>
    [ann, bob].map((each) => books.roundStatus(each, 'r'));

  it('a leg that ends the round also ends the part of the other account', () => {
    const books = given();
    books.applyBatch(ofBob('b'), bet('c', 1n));
    expect(statuses(books)).toEqual(['open', 'open']);
    books.applyBatch(end);
    expect(statuses(books)).toEqual(['closed', 'closed']);
    expect(books.applyBatch(ofBob('late')).words).toEqual(['leg 0 round_closed']);
    expect(books.apply(rollbackOf({ id: 'x', of: 'b', account: bob })).word).toBe('bet_already_settled');
  });

  it('the end of a round creates no missing part, but a later win creates a closed part', () => {
    const books = given();
    books.applyBatch(end);
    expect(statuses(books)).toEqual(['closed', undefined]);
    expect(books.applyBatch(ofBob('late', { otherPart: ann })).words).toEqual(['leg 0 round_closed']);
    const late = { ...winOf({ id: 'w', amount: 1n, account: bob, round: 'r' }), otherPart: ann };
    expect(books.applyBatch(late).words).toEqual(['late']);
    expect(statuses(books)).toEqual(['closed', 'closed']);
  });

  it('a leg that names no other account looks up only the part of its own account in the round', () => {
    const state = createState({
      ...{ packageId: 7, overdraftLimit: 0n, sequence: 0n, nowMs: 1 },
      accounts: [[ann, { balance: 10n, lastSequence: 0n }]],
    });
    state.assumed = createAssumed();
    decideBatch(state, { type: 'batch', legs: [bet('b', 1n)] });
    expect(state.assumed.rounds.size).toBe(1);
  });

  it('a leg that does not end the round leaves the parts of both accounts open', () => {
    const books = given();
    books.applyBatch(ofBob('b', { otherPart: ann }), { ...bet('c', 1n), otherPart: bob });
    expect(statuses(books)).toEqual(['open', 'open']);
  });

  it('a rollback that ends the round changes only the totals of its own part', () => {
    const books = given();
    books.applyBatch(ofBob('b'), bet('c', 1n));
    const undo = { ...rollbackOf({ id: 'x', of: 'c', round: 'r', finished: true }), otherPart: bob };
    expect(books.applyBatch(undo).words).toEqual(['rolled_back']);
    expect(statuses(books)).toEqual(['closed', 'closed']);
    expect(books.betTotal(bob, 'r')).toBe(1n);
  });
});

it('decideBatch agrees with the model over 2,000 random histories that end with a batch', () => {
  const seed = seedOfRun();
  const faults = Array.from({ length: 2000 }, (_, i) => findBatchFault(seed + i));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
