// Rollbacks that undo any transaction of a provider connection, wins included.
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import { ann, bob, sharedIds } from '../../../test/environment/command-line.ts';

const { betOf, winOf, rollbackOf } = sharedIds;
const win = winOf({ id: 'w', amount: 25n, round: 'r' });
const rollback = (id = 'x') => rollbackOf({ id, of: 'w', round: 'r' });

describe('the rollback of a win', () => {
  it('the rollback takes the win back from the player', () => {
    const books = createBooks({ ann: 10n });
    books.apply(win);
    const { decision, word, balance } = books.apply(rollback());
    expect([word, balance]).toEqual(['rolled_back', 10n]);
    expect(decision.movements).toMatchObject([
      { kind: 'win_reversal', debitAccount: ann, creditAccount: 2n, amount: 25n, shortfall: 0n },
    ]);
  });

  it.each([
    [20n, 15n, 10n],
    [35n, 0n, 25n],
  ])(
    'the rollback of a win takes back at most the balance, and stores the shortfall (bet: %s)',
    (stake, amount, shortfall) => {
      const books = createBooks({ ann: 10n });
      books.applyAll(win, betOf({ id: 'b', amount: stake }));
      const { decision, word, balance } = books.apply(rollback());
      expect([word, balance]).toEqual(['rolled_back', 0n]);
      expect(decision.movements).toMatchObject([{ amount, shortfall }]);
    },
  );

  it('a win is taken back only once, even if its rollback is repeated or sent with a new id', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyAll(win, rollback(), rollback(), rollback('y'), rollback('y'))).toEqual([
      'applied',
      'rolled_back',
      'repeated rolled_back',
      'already_rolled_back',
      'repeated already_rolled_back',
    ]);
    expect(books.balance(ann)).toBe(10n);
  });

  it('a rolled-back win lowers the win total of its round, and a round without bets becomes void', () => {
    const books = createBooks({ ann: 0n });
    books.apply(win);
    const { decision } = books.apply(rollback());
    expect(decision.rounds).toMatchObject([{ winTotal: 0n, status: 'void' }]);
  });

  it('the rollback of a win leaves a closed round closed', () => {
    const books = createBooks({ ann: 0n });
    books.apply(winOf({ id: 'w', amount: 25n, round: 'r', finished: true }));
    expect(books.apply(rollback()).decision.rounds).toMatchObject([{ winTotal: 0n, status: 'closed' }]);
  });

  it('a win is refused if its rollback has arrived first', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyAll(rollback(), win, win)).toEqual([
      'tombstoned',
      'bet_rolled_back',
      'bet_rolled_back',
    ]);
    expect(books.balance(ann)).toBe(10n);
  });

  it('a tombstone does not stop a win that cannot be rolled back', () => {
    const books = createBooks({ ann: 10n });
    const { isReversible: _, ...plain } = win;
    expect(books.applyAll(rollback(), plain)).toEqual(['tombstoned', 'applied']);
    expect(books.balance(ann)).toBe(35n);
  });

  it("another player's rollback of a win changes nothing, and the win can still be rolled back", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    books.apply(win);
    expect(books.apply(rollbackOf({ id: 'x', of: 'w', account: bob })).word).toBe('tombstoned');
    expect([books.balance(ann), books.balance(bob)]).toEqual([35n, 10n]);
    expect(books.apply(rollback('y')).word).toBe('rolled_back');
  });

  it('the rollback of a win rolls nothing back if the balance limit refused the win', () => {
    const books = createBooks({ ann: 10n });
    expect(
      books.applyAll(winOf({ id: 'w', amount: 10n ** 15n - 5n }), rollbackOf({ id: 'x', of: 'w' })),
    ).toEqual(['balance_limit', 'nothing_to_roll_back']);
  });
});

describe('a rollback that undoes any transaction', () => {
  it.each([
    ['a bet of a closed round', [betOf({ id: 'b', amount: 5n, round: 'r', finished: true })]],
    [
      'a bet with a win',
      [betOf({ id: 'b', amount: 5n, round: 'r' }), winOf({ id: 'w', amount: 0n, of: 'b', round: 'r' })],
    ],
  ])('the rollback returns the amount of %s', (_name, before) => {
    const books = createBooks({ ann: 10n });
    books.applyAll(...before);
    expect(books.apply(rollbackOf({ id: 'x', of: 'b', round: 'r' })).word).toBe('rolled_back');
    expect(books.balance(ann)).toBe(10n);
  });

  it('a rollback that undoes any transaction cannot undo a rollback', () => {
    const books = createBooks({ ann: 10n });
    books.applyAll(win, rollback('x'));
    expect(books.apply(rollbackOf({ id: 'y', of: 'x' })).word).toBe('not_a_bet');
  });
});

describe('a win that must settle an open round', () => {
  const deposit = (round: string) => winOf({ id: 'w', amount: 3n, round, needsOpenRound: true });

  it('the win is refused in an unknown round', () => {
    expect(createBooks({ ann: 10n }).apply(deposit('r')).word).toBe('bet_not_found');
  });

  it('the win is refused in a closed round', () => {
    const books = createBooks({ ann: 10n });
    books.apply(betOf({ id: 'b', amount: 5n, round: 'r', finished: true }));
    expect(books.apply(deposit('r')).word).toBe('round_closed');
  });

  it('the win is paid in an open round; a repeat after the end of the round gets the first answer', () => {
    const books = createBooks({ ann: 10n });
    books.apply(betOf({ id: 'b', amount: 5n, round: 'r' }));
    const words = books.applyAll(
      deposit('r'),
      betOf({ id: 'c', amount: 1n, round: 'r', finished: true }),
      deposit('r'),
    );
    expect(words).toEqual(['applied', 'applied', 'repeated applied']);
  });
});
