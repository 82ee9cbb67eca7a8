// Batches of legs: applied in their order, completely or not at all.
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import { ann, betOf, bob, endRoundOf, rollbackOf, winOf } from '../../../test/environment/command-line.ts';
import { findBatchFault } from '../../../test/ledger/model/check-leg-batches.ts';
import { seedOfRun } from '../../../test/ledger/model/random.ts';
import { maxBalance } from './movement.ts';

const bet = (id: string, amount: bigint) => betOf({ id, amount, round: 'r' });
const win = (id: string, amount: bigint) => winOf({ id, amount, round: 'r' });

describe('a batch', () => {
  it('a batch applies its legs in their order: a win pays for the bet after it', () => {
    const books = createBooks({ ann: 10n });
    const { words, stored } = books.applyBatch(bet('b', 10n), win('w', 25n), bet('c', 20n));
    expect([words, stored]).toEqual([['applied', 'applied', 'applied'], 3]);
    expect(books.balance(ann)).toBe(5n);
  });

  it('a batch writes nothing if one leg lacks funds, and answers with the balance before it', () => {
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

  it('a batch stores no refusal, so the same ids may succeed later', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(bet('b', 20n)).words).toEqual(['leg 0 insufficient_funds']);
    books.apply(winOf({ id: 'gift', amount: 10n }));
    expect(books.applyBatch(bet('b', 20n)).words).toEqual(['applied']);
  });

  it('a batch answers a repeat with the first movements and moves nothing', () => {
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

  it('a batch writes nothing if its request was stored before with other legs', () => {
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

  it('a batch that counts as one transaction writes nothing if some of its legs were stored before', () => {
    const books = createBooks({ ann: 10n });
    books.applyBatch(bet('b', 4n));
    const answer = books.applyTransaction(bet('b', 4n), bet('c', 1n));
    expect(answer).toMatchObject({ words: ['leg 0 conflict amount'], stored: 0 });
    expect(books.balance(ann)).toBe(6n);
    expect(books.applyTransaction(bet('b', 4n)).words).toEqual(['repeated applied']);
  });

  it('a batch applies a leg once if two legs of the batch have the same id and content', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyBatch(bet('b', 4n), bet('b', 4n)).words).toEqual(['applied', 'repeated applied']);
    expect(books.balance(ann)).toBe(6n);
  });

  it('a batch writes nothing if a leg has the id of an earlier command with other content', () => {
    const books = createBooks({ ann: 10n });
    books.apply(bet('b', 4n));
    const answer = books.applyBatch(bet('c', 1n), bet('b', 5n));
    expect(answer).toMatchObject({ words: ['leg 1 conflict amount'], stored: 0 });
    expect(books.balance(ann)).toBe(6n);
  });

  it('a batch moves no money of any account if the leg of one account is refused', () => {
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

it('decideBatch agrees with the model over 2,000 random histories that end with a batch', () => {
  const seed = seedOfRun();
  const faults = Array.from({ length: 2000 }, (_, i) => findBatchFault(seed + i));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});
