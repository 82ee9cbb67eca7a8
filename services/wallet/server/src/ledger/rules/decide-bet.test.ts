// The ledger's rules for bets and bet_wins.
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
import { maxBalance } from './movement.ts';

describe('a bet', () => {
  it.each([
    ['of the whole balance is applied', 10n, 'applied', 0n],
    ['above the balance is refused with the balance, and stored', 11n, 'insufficient_funds', 10n],
    ['of zero is recorded and moves no money', 0n, 'recorded', 10n],
  ])('a bet %s', (_name, amount, word, balance) => {
    const books = createBooks({ ann: 10n });
    const applied = books.apply(betOf({ id: 'b', amount }));
    expect([applied.word, applied.balance, applied.stored]).toEqual([word, balance, true]);
    expect(books.balance(ann)).toBe(balance);
  });

  it('a bet that was refused for lack of funds stays refused after a win', () => {
    const books = createBooks({ ann: 10n });
    const bet = betOf({ id: 'b', amount: 11n });
    const words = books.applyAll(bet, winOf({ id: 'w', amount: 50n }), bet);
    expect(words).toEqual(['insufficient_funds', 'applied', 'repeated insufficient_funds']);
  });

  it.each(['player_blocked', 'session_expired'] as const)(
    'a new bet is refused with %s and not stored, but a repeat of a stored bet gets the first answer',
    (blockedBy) => {
      const books = createBooks({ ann: 10n });
      const applied = books.apply(betOf({ id: 'b', amount: 5n, blockedBy }));
      expect([applied.word, applied.stored, applied.balance]).toEqual([blockedBy, false, 10n]);
      expect(books.apply(betOf({ id: 'b', amount: 5n })).word).toBe('applied');
      expect(books.apply(betOf({ id: 'b', amount: 5n, blockedBy })).word).toBe('repeated applied');
    },
  );

  it.each([
    ['a round that end_round closed', endRoundOf({ round: 'r' })],
    ['a round that a bet finished', betOf({ id: 'x', amount: 1n, round: 'r', finished: true })],
    ['a round that a win finished', winOf({ id: 'x', amount: 1n, round: 'r', finished: true })],
    ['a round that a bet_win finished', betWinOf({ id: 'x', bet: 1n, win: 1n, round: 'r', finished: true })],
  ])('a bet in %s is refused and not stored', (_name, closing) => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const old = betOf({ id: 'old', amount: 1n, round: 'r' });
    books.applyAll(old, closing);
    const applied = books.apply(betOf({ id: 'b', amount: 1n, round: 'r' }));
    expect([applied.word, applied.stored]).toEqual(['round_closed', false]);
    expect(books.apply(betWinOf({ id: 'bw', bet: 1n, win: 1n, round: 'r' })).word).toBe('round_closed');
    expect(books.apply(old).word).toBe('repeated applied');
    expect(books.apply(betOf({ id: 'b', amount: 1n, round: 's' })).word).toBe('applied');
    const others = betOf({ id: 'b2', amount: 1n, round: 'r', account: bob });
    expect(books.apply(others).word).toBe('applied');
  });

  it('a refused bet with round_finished does not close its round', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(
      betOf({ id: '1', amount: 4n, round: 'r' }),
      betOf({ id: '2', amount: 99n, round: 'r', finished: true }),
      rollbackOf({ id: '3', of: '1' }),
    );
    expect(words).toEqual(['applied', 'insufficient_funds', 'rolled_back']);
  });

  it.each([
    ['action', betWinOf({ id: 'b', bet: 5n, win: 0n, round: 'r', game: 'g' })],
    ['player_id', betOf({ id: 'b', amount: 5n, round: 'r', game: 'g', account: bob })],
    ['round_id', betOf({ id: 'b', amount: 5n, round: 's', game: 'g' })],
    ['game_id', betOf({ id: 'b', amount: 5n, round: 'r', game: 'h' })],
    ['amount', betOf({ id: 'b', amount: 6n, round: 'r', game: 'g' })],
  ])('a callback with the id of a bet but a different %s is a conflict on that field', (field, command) => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.apply(betOf({ id: 'b', amount: 5n, round: 'r', game: 'g' }));
    const applied = books.apply(command);
    expect([applied.word, applied.stored]).toEqual([`conflict ${field}`, false]);
  });
});

describe('a bet_win', () => {
  it('a bet_win debits the bet and credits the win in two rows of one decision', () => {
    const books = createBooks({ ann: 10n });
    const { word, decision } = books.apply(betWinOf({ id: 'x', bet: 10n, win: 3n, round: 'r' }));
    expect(word).toBe('applied');
    const [bet, win] = decision.movements;
    expect([bet?.kind, bet?.amount, bet?.debitBalance]).toEqual(['bet_of_bet_win', 10n, 0n]);
    expect([win?.kind, win?.amount, win?.creditBalance]).toEqual(['win_of_bet_win', 3n, 3n]);
    expect([win?.previousSequence, win?.roundPrevious]).toEqual([bet?.sequence, bet?.sequence]);
    expect(books.balance(ann)).toBe(3n);
  });

  it.each([
    [
      'whose bet exceeds the balance moves no money',
      { ann: 10n },
      { bet: 11n, win: 50n },
      'insufficient_funds',
    ],
    [
      'whose win exceeds the balance limit moves no money',
      { ann: maxBalance },
      { bet: 1n, win: 2n },
      'balance_limit',
    ],
  ])('a bet_win %s, and is stored', (_name, given, amounts, word) => {
    const books = createBooks(given);
    const before = books.balance(ann);
    const command = betWinOf({ id: 'x', ...amounts });
    const applied = books.apply(command);
    expect([applied.word, applied.stored, applied.balance]).toEqual([word, true, before]);
    expect(books.apply(command).word).toBe(`repeated ${word}`);
    expect(books.balance(ann)).toBe(before);
    expect(books.apply(winOf({ id: 'w', amount: 1n, of: 'x' })).word).toBe('bet_refused');
  });

  it('a bet_win is applied if its win raises the balance exactly to the limit', () => {
    const books = createBooks({ ann: maxBalance });
    expect(books.apply(betWinOf({ id: 'x', bet: 2n, win: 2n })).word).toBe('applied');
  });

  it.each([
    ['action', betOf({ id: 'x', amount: 5n })],
    ['action', winOf({ id: 'x', amount: 3n })],
    ['bet_amount', betWinOf({ id: 'x', bet: 6n, win: 3n })],
    ['win_amount', betWinOf({ id: 'x', bet: 5n, win: 4n })],
    ['player_id', betWinOf({ id: 'x', bet: 5n, win: 3n, account: bob })],
  ])(
    'a callback with the id of a bet_win but different content is a conflict that names %s',
    (field, command) => {
      const books = createBooks({ ann: 10n, bob: 10n });
      books.apply(betWinOf({ id: 'x', bet: 5n, win: 3n }));
      expect(books.apply(command).word).toBe(`conflict ${field}`);
    },
  );

  it.each([
    ['bet', betOf({ id: 'x', amount: 1n })],
    ['win', winOf({ id: 'x', amount: 1n })],
  ])('a bet_win cannot use the id of a stored %s', (_leg, command) => {
    const books = createBooks({ ann: 10n });
    books.apply(command);
    const applied = books.apply(betWinOf({ id: 'x', bet: 1n, win: 1n }));
    expect([applied.word, applied.stored]).toEqual(['conflict action', false]);
  });
});

describe('the totals of a round', () => {
  const totals = (...commands: Parameters<ReturnType<typeof createBooks>['apply']>[0][]) => {
    const books = createBooks({ ann: 10n });
    return commands.map((command) => {
      const [round] = books.apply(command).decision.rounds ?? [];
      return [round?.betTotal, round?.winTotal, round?.status];
    });
  };
  const round = 'r';

  it('the totals include every bet and win that moved money', () => {
    const applied = totals(
      betOf({ id: '1', amount: 4n, round }),
      betOf({ id: '2', amount: 0n, round }),
      winOf({ id: '3', amount: 7n, round }),
      betWinOf({ id: '4', bet: 2n, win: 1n, round, finished: true }),
      winOf({ id: '5', amount: 3n, round }),
    );
    expect(applied).toEqual([
      [4n, 0n, 'open'],
      [4n, 0n, 'open'],
      [4n, 7n, 'open'],
      [6n, 8n, 'closed'],
      [6n, 11n, 'closed'],
    ]);
  });

  it('the totals include no refused bet or win', () => {
    const applied = totals(
      betOf({ id: '1', amount: 11n, round }),
      betWinOf({ id: '2', bet: 11n, win: 5n, round, finished: true }),
      betWinOf({ id: '3', bet: 1n, win: maxBalance, round }),
      winOf({ id: '4', amount: maxBalance, round, finished: true }),
    );
    expect(applied).toEqual(Array(4).fill([0n, 0n, 'void']));
  });
});
