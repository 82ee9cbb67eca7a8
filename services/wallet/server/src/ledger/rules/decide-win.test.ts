// The ledger's rules for wins.
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
import { creditAccount, maxBalance } from './movement.ts';

const bet = betOf({ id: 'b', amount: 5n, round: 'r' });

describe('a win is credited', () => {
  it('a win is credited for a bet that was applied', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(bet, winOf({ id: 'w', amount: 7n, of: 'b', round: 'r' }));
    expect([words, books.balance(ann)]).toEqual([['applied', 'applied'], 12n]);
  });

  it('a win without a reference is credited, even if the package has no credit', () => {
    const books = createBooks({});
    expect(books.balance(creditAccount)).toBe(0n);
    expect(books.apply(winOf({ id: 'w', amount: 7n })).word).toBe('applied');
  });

  it('a win in a closed round is credited with the result "late"', () => {
    const books = createBooks({ ann: 10n });
    books.applyAll(bet, endRoundOf({ round: 'r' }));
    const applied = books.apply(winOf({ id: 'w', amount: 7n, of: 'b', round: 'r' }));
    expect([applied.word, books.balance(ann)]).toEqual(['late', 12n]);
  });

  it('several wins with different ids are credited for one bet', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(
      bet,
      winOf({ id: 'w1', amount: 7n, of: 'b' }),
      winOf({ id: 'w2', amount: 1n, of: 'b' }),
    );
    expect([words, books.balance(ann)]).toEqual([['applied', 'applied', 'applied'], 13n]);
  });

  it('a win that refers to a bet_win is credited in addition to the win of the bet_win', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(
      betWinOf({ id: 'x', bet: 5n, win: 0n }),
      winOf({ id: 'w', amount: 1n, of: 'x' }),
    );
    expect([words.at(-1), books.balance(ann)]).toEqual(['applied', 6n]);
  });

  it('a win that would exceed the balance limit is refused, and the refusal is final', () => {
    const books = createBooks({ ann: maxBalance - 1n });
    const much = winOf({ id: 'much', amount: 2n });
    expect(books.apply(much).word).toBe('balance_limit');
    expect(books.apply(winOf({ id: 'w', amount: 1n })).word).toBe('applied');
    books.apply(betOf({ id: 'room', amount: 100n }));
    expect(books.apply(much).word).toBe('repeated balance_limit');
  });
});

describe('a win whose reference is not a valid bet', () => {
  const win = winOf({ id: 'w', amount: 7n, of: 'b' });

  it.each([
    ['no transaction yet', [], 'bet_not_found'],
    ["another player's bet", [betOf({ id: 'b', amount: 5n, account: bob })], 'bet_not_found'],
    ['a rolled-back bet', [bet, rollbackOf({ id: 'r', of: 'b' })], 'bet_rolled_back'],
    ['a bet that was rolled back before it arrived', [rollbackOf({ id: 'r', of: 'b' })], 'bet_rolled_back'],
    ['a refused bet', [betOf({ id: 'b', amount: 99n })], 'bet_refused'],
    ['a win', [winOf({ id: 'b', amount: 1n })], 'bet_not_found'],
  ])('a win that refers to %s is refused and does not use up its id', (_name, before, word) => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.applyAll(...before);
    const balance = books.balance(ann);
    const applied = books.apply(win);
    expect([applied.word, applied.stored, applied.balance]).toEqual([word, false, balance]);
    expect(books.apply(winOf({ id: 'w', amount: 7n })).word).toBe('applied');
  });

  it('a win that was refused is credited when it is sent again after its bet has arrived', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyAll(win, bet, win)).toEqual(['bet_not_found', 'applied', 'applied']);
  });
});

describe('settling a bet', () => {
  it.each([
    ['a win', 7n, 'applied'],
    ['a win of zero', 0n, 'recorded'],
  ])('a bet is settled by %s', (_name, amount, word) => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(bet, winOf({ id: 'w', amount, of: 'b' }), rollbackOf({ id: 'r', of: 'b' }));
    expect(words).toEqual(['applied', word, 'bet_already_settled']);
  });

  const betStatusOf = (books: ReturnType<typeof createBooks>, win: ReturnType<typeof winOf>) =>
    books.apply(win).decision.bet?.status;

  it('a win that ends the round settles the bets of the round without storing the state of each bet', () => {
    const books = createBooks({ ann: 10n });
    books.apply(bet);
    const win = winOf({ id: 'w', amount: 7n, of: 'b', round: 'r', finished: true });
    expect(betStatusOf(books, win)).toBeUndefined();
    expect(books.apply(rollbackOf({ id: 'x', of: 'b' })).word).toBe('bet_already_settled');
    const late = winOf({ id: 'late', amount: 1n, of: 'b', round: 'r' });
    expect(betStatusOf(books, late)).toBeUndefined();
  });

  it.each([
    ['in its round, which stays open', winOf({ id: 'w', amount: 7n, of: 'b', round: 'r' })],
    ['and closes a different round', winOf({ id: 'w', amount: 7n, of: 'b', round: 's', finished: true })],
    ['and names no round', winOf({ id: 'w', amount: 7n, of: 'b' })],
  ])('the bet state is stored by a win that settles its bet %s', (_name, win) => {
    const books = createBooks({ ann: 10n });
    books.apply(bet);
    expect(betStatusOf(books, win)).toBe('settled');
    expect(books.apply(rollbackOf({ id: 'x', of: 'b' })).word).toBe('bet_already_settled');
  });

  it('a win that names no round stores the state of a bet whose round is closed', () => {
    const books = createBooks({ ann: 10n });
    books.applyAll(bet, endRoundOf({ round: 'r' }));
    expect(betStatusOf(books, winOf({ id: 'w', amount: 7n, of: 'b' }))).toBe('settled');
  });

  it('a win that closes a round stores the state of its bet if the bet has no round', () => {
    const books = createBooks({ ann: 10n });
    books.apply(betOf({ id: 'alone', amount: 5n }));
    const win = winOf({ id: 'w', amount: 7n, of: 'alone', round: 'r', finished: true });
    expect(betStatusOf(books, win)).toBe('settled');
  });

  it('a win that the balance limit refuses does not settle its bet', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(
      bet,
      winOf({ id: 'w', amount: maxBalance, of: 'b' }),
      rollbackOf({ id: 'r', of: 'b' }),
    );
    expect(words).toEqual(['applied', 'balance_limit', 'rolled_back']);
  });

  it('a win without a reference settles no bet, not even in the same round', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(
      bet,
      winOf({ id: 'w', amount: 1n, round: 'r' }),
      rollbackOf({ id: 'x', of: 'b' }),
    );
    expect(words).toEqual(['applied', 'applied', 'rolled_back']);
  });
});

it.each([
  ['player_id', winOf({ id: 'w', amount: 7n, round: 'r', game: 'g', account: bob })],
  ['amount', winOf({ id: 'w', amount: 8n, round: 'r', game: 'g' })],
  ['round_id', winOf({ id: 'w', amount: 7n, game: 'g' })],
  ['game_id', winOf({ id: 'w', amount: 7n, round: 'r' })],
  ['reference_transaction_id', winOf({ id: 'w', amount: 7n, round: 'r', game: 'g', of: 'b' })],
  ['action', betWinOf({ id: 'w', bet: 1n, win: 7n, round: 'r', game: 'g' })],
])('a callback with the id of a win but a different %s is a conflict on that field', (field, command) => {
  const books = createBooks({ ann: 10n, bob: 10n });
  const win = winOf({ id: 'w', amount: 7n, round: 'r', game: 'g' });
  expect(books.applyAll(win, win, command)).toEqual(['applied', 'repeated applied', `conflict ${field}`]);
  expect(books.balance(ann)).toBe(17n);
});
