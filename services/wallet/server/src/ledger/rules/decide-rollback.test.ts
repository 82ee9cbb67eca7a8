// The ledger's rules for rollbacks, tombstones and the end of rounds.
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

const bet = betOf({ id: 'b', amount: 5n, round: 'r' });
const rollback = (id = 'x') => rollbackOf({ id, of: 'b' });

describe('a rollback', () => {
  it('the amount of a bet is returned only once, even if its rollback is repeated or has a new id', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(bet, rollback(), rollback(), rollback('y'), rollback('y'));
    expect(words).toEqual([
      'applied',
      'rolled_back',
      'repeated rolled_back',
      'already_rolled_back',
      'repeated already_rolled_back',
    ]);
    expect(books.balance(ann)).toBe(10n);
  });

  it('a rollback of a bet of zero moves no money, and is applied once', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(betOf({ id: 'b', amount: 0n }), rollback(), rollback('y'));
    expect(words).toEqual(['recorded', 'rolled_back', 'already_rolled_back']);
    expect(books.balance(ann)).toBe(10n);
  });

  it('a repeat of a bet that was rolled back gets the first answer and moves no money', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyAll(bet, rollback(), bet).at(-1)).toBe('repeated applied');
    expect(books.balance(ann)).toBe(10n);
  });

  it('a rollback above the balance limit stays refused, but one with a new id can succeed later', () => {
    const books = createBooks({ ann: maxBalance });
    const words = books.applyAll(
      bet,
      winOf({ id: 'w', amount: 5n }),
      rollback(),
      betOf({ id: 'room', amount: 5n }),
      rollback(),
      rollback('y'),
    );
    expect(words.slice(2)).toEqual(['balance_limit', 'applied', 'repeated balance_limit', 'rolled_back']);
  });
});

describe('rollbacks of refused, settled and rolled-back bets', () => {
  it.each([
    ['a refused bet', [betOf({ id: 'b', amount: 99n })], 'nothing_to_roll_back', true],
    ['a refused bet_win', [betWinOf({ id: 'b', bet: 99n, win: 1n })], 'nothing_to_roll_back', true],
    ['a bet with a win', [bet, winOf({ id: 'w', amount: 1n, of: 'b' })], 'bet_already_settled', false],
    ['a bet_win', [betWinOf({ id: 'b', bet: 5n, win: 1n })], 'bet_already_settled', false],
    ['a bet of a closed round', [bet, endRoundOf({ round: 'r' })], 'bet_already_settled', false],
    [
      'a bet that finished its round',
      [betOf({ id: 'b', amount: 5n, round: 'r', finished: true })],
      'bet_already_settled',
      false,
    ],
    ['a win', [winOf({ id: 'b', amount: 1n })], 'not_a_bet', false],
  ])('a rollback of %s moves no money', (_name, before, word, stored) => {
    const books = createBooks({ ann: 10n });
    books.applyAll(...before);
    const balance = books.balance(ann);
    const applied = books.apply(rollback());
    expect([applied.word, applied.stored, applied.balance]).toEqual([word, stored, balance]);
    expect(books.balance(ann)).toBe(balance);
  });

  it('a bet that was rolled back before its round closed stays rolled back', () => {
    const books = createBooks({ ann: 10n });
    const words = books.applyAll(bet, rollback(), endRoundOf({ round: 'r' }), rollback('y'));
    expect(words.at(-1)).toBe('already_rolled_back');
  });

  it("another player's end of the round does not settle this player's bet", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const words = books.applyAll(bet, endRoundOf({ round: 'r', account: bob }), rollback());
    expect(words.at(-1)).toBe('rolled_back');
  });
});

describe('a tombstone', () => {
  it('a bet that arrives after its rollback is refused each time and never stored', () => {
    const books = createBooks({ ann: 10n });
    expect(books.apply(rollback()).word).toBe('tombstoned');
    for (const late of [bet, bet, betWinOf({ id: 'b', bet: 1n, win: 1n })]) {
      const applied = books.apply(late);
      expect([applied.word, applied.stored]).toEqual(['bet_rolled_back', false]);
    }
    expect(books.apply(rollback()).word).toBe('repeated tombstoned');
    expect(books.balance(ann)).toBe(10n);
  });

  it("a tombstone does not change another player's stored bet with the same id", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const ofBob = betOf({ id: 'b', amount: 5n, account: bob });
    const words = books.applyAll(ofBob, rollback(), ofBob, rollbackOf({ id: 'z', of: 'b', account: bob }));
    expect(words).toEqual(['applied', 'tombstoned', 'repeated applied', 'rolled_back']);
    expect([books.balance(ann), books.balance(bob)]).toEqual([10n, 10n]);
  });

  it("a tombstone does not block another player's later bet with the same id", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const ofBob = betOf({ id: 'b', amount: 5n, account: bob });
    expect(books.applyAll(rollback(), ofBob)).toEqual(['tombstoned', 'applied']);
  });

  it('a tombstone is stored for each player separately', () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const ofBob = rollbackOf({ id: 'z', of: 'b', account: bob });
    expect(books.applyAll(ofBob, rollback(), bet)).toEqual(['tombstoned', 'tombstoned', 'bet_rolled_back']);
  });

  it("a tombstone is stored although another player's win has the same id", () => {
    const books = createBooks({ ann: 10n, bob: 10n });
    const win = winOf({ id: 'b', amount: 1n, account: bob });
    expect(books.applyAll(win, rollback(), bet)).toEqual(['applied', 'tombstoned', 'bet_rolled_back']);
  });
});

it.each([
  ['player_id', rollbackOf({ id: 'x', of: 'b', account: bob })],
  ['round_id', rollbackOf({ id: 'x', of: 'b', round: 'r' })],
  ['game_id', rollbackOf({ id: 'x', of: 'b', game: 'g' })],
  ['reference_transaction_id', rollbackOf({ id: 'x', of: 'other' })],
])(
  'a callback with the id of a rollback but a different %s is a conflict on that field',
  (field, command) => {
    const books = createBooks({ ann: 10n, bob: 10n });
    expect(books.applyAll(bet, rollback(), command).at(-1)).toBe(`conflict ${field}`);
  },
);

describe('the end of a round', () => {
  it('end_round closes the round once, and a repeat gets the same answer', () => {
    const books = createBooks({ ann: 10n });
    const end = endRoundOf({ round: 'r' });
    expect(books.applyAll(bet, end, end)).toEqual(['applied', 'closed', 'repeated closed']);
  });

  it('end_round closes a round that has no bets yet', () => {
    const books = createBooks({ ann: 10n });
    expect(books.applyAll(endRoundOf({ round: 'r' }), bet)).toEqual(['closed', 'round_closed']);
  });

  it('end_round moves no money and returns the balance', () => {
    const books = createBooks({ ann: 10n });
    const applied = books.apply(endRoundOf({ round: 'r' }));
    expect([applied.balance, applied.decision.movements[0]?.amount]).toEqual([10n, 0n]);
  });
});

describe('the bet total of a round', () => {
  const other = betOf({ id: 'c', amount: 2n, round: 'r' });
  const totals = (named: string | undefined, id = 'x') => {
    const books = createBooks({ ann: 10n });
    books.applyAll(bet, other);
    const command = rollbackOf({ id, of: 'b', ...(named && { round: named }) });
    const first = books.apply(command).decision.rounds ?? [];
    const again = rollbackOf({ id: 'y', of: 'b', round: 'r' });
    const second = books.apply(again).decision.rounds ?? [];
    return [first, second].map((rounds) => rounds.map((round) => round.betTotal));
  };

  it.each([
    ['the round of the bet', 'r', [[2n], [2n]]],
    ['no round', undefined, [[2n], [2n]]],
    ['a different round', 's', [[0n, 2n], [2n]]],
  ] as const)(
    'two rollbacks of a bet reduce the bet total of its round only once if the first rollback names %s',
    (_title, named, expected) => {
      expect(totals(named)).toEqual(expected);
    },
  );

  it('the bet total is not changed by a rollback of an unknown bet', () => {
    const books = createBooks({ ann: 10n });
    books.applyAll(other);
    const { rounds = [] } = books.apply(rollbackOf({ id: 'x', of: 'gone', round: 'r' })).decision;
    expect(rounds.map((round) => round.betTotal)).toEqual([2n]);
  });
});
