// How bets, wins and rollbacks change the totals and the status of a round.
import { describe, expect, it } from 'vitest';
import { createBooks } from '../../../test/environment/books.ts';
import {
  ann,
  betOf,
  betWinOf,
  endRoundOf,
  rollbackOf,
  winOf,
} from '../../../test/environment/command-line.ts';
import { decide } from './decide.ts';
import { maxBalance } from './movement.ts';
import { withoutBet } from './round.ts';
import { createAssumed, createState } from './state.ts';

type Books = ReturnType<typeof createBooks>;

const totalsOf = (books: Books, command: Parameters<Books['apply']>[0]) =>
  (books.apply(command).decision.rounds ?? []).map((round) => [round.id, round.betTotal]);

it.each([1n, 2n])('a rolled-back bet of %s is removed from the total of its round', (amount) => {
  const books = createBooks({ ann: 10n });
  books.apply(betOf({ id: 'b', amount, round: 'r' }));
  expect(totalsOf(books, rollbackOf({ id: 'x', of: 'b' }))).toEqual([['r', 0n]]);
});

it('a rollback that the balance limit refuses does not change the totals of any round', () => {
  const books = createBooks({ ann: maxBalance });
  books.applyAll(betOf({ id: 'b', amount: 5n, round: 'r' }), winOf({ id: 'w', amount: 5n }));
  expect(totalsOf(books, rollbackOf({ id: 'x', of: 'b', round: 'r' }))).toEqual([['r', 5n]]);
  expect(totalsOf(books, rollbackOf({ id: 'y', of: 'b', round: 's' }))).toEqual([['s', 0n]]);
  expect(totalsOf(books, rollbackOf({ id: 'z', of: 'b' }))).toEqual([]);
});

it("a second rollback of a bet does not change the bet's round", () => {
  const books = createBooks({ ann: 10n });
  books.applyAll(betOf({ id: 'b', amount: 0n, round: 'r' }), rollbackOf({ id: 'x', of: 'b' }));
  expect(totalsOf(books, rollbackOf({ id: 'y', of: 'b' }))).toEqual([]);
  expect(totalsOf(books, rollbackOf({ id: 'z', of: 'b', round: 's' }))).toEqual([['s', 0n]]);
});

describe('the status of a round', () => {
  const paid = betOf({ id: 'paid', amount: 5n, round: 'r' });
  const free = betOf({ id: 'free', amount: 0n, round: 'r' });
  const refused = betOf({ id: 'refused', amount: 11n, round: 'r' });
  const otherFree = betOf({ id: 'other', amount: 0n, round: 'r' });
  const noWin = winOf({ id: 'none', amount: 0n, round: 'r' });
  const unroll = rollbackOf({ id: 'x', of: 'paid' });
  it.each([
    ['an accepted bet', [paid], 'open'],
    ['a bet of 0', [free], 'open'],
    ['a win alone', [winOf({ id: 'w', amount: 1n, round: 'r' })], 'open'],
    ['a win of 0 alone', [noWin], 'void'],
    ['a win of 0 after a refused bet', [refused, noWin], 'void'],
    ['a win of 0 after a rollback', [paid, unroll, noWin], 'void'],
    ['a win of 0 after a bet', [paid, noWin], 'open'],
    ['a win of 0 after a bet of 0', [free, noWin], 'open'],
    ['a win of 0 after a win', [winOf({ id: 'w', amount: 1n, round: 'r' }), noWin], 'open'],
    ['a win of 0 that finishes the round', [{ ...noWin, roundFinished: true }], 'closed'],
    ['a win of 0 between a bet and its rollback', [paid, noWin, unroll], 'void'],
    ['a refused bet alone', [refused], 'void'],
    ['a refused bet_win alone', [betWinOf({ id: 'bw', bet: 11n, win: 1n, round: 'r' })], 'void'],
    ['a rollback before its bet', [rollbackOf({ id: 'x', of: 'paid', round: 'r' })], 'void'],
    ['a bet and its rollback in the same round', [paid, { ...unroll, round: paid.round }], 'void'],
    ['a bet and a rollback that names no round', [paid, unroll], 'void'],
    ['a bet of 0 and its rollback', [free, rollbackOf({ id: 'x', of: 'free' })], 'void'],
    ['a bet of 0, a bet of 5, and the rollback of the bet of 5', [free, paid, unroll], 'open'],
    ['two bets of 0 and the rollback of one', [free, otherFree, rollbackOf({ id: 'x', of: 'free' })], 'open'],
    [
      'two bets of 0 and the rollbacks of both',
      [free, otherFree, rollbackOf({ id: 'x', of: 'free' }), rollbackOf({ id: 'y', of: 'other' })],
      'void',
    ],
    [
      'a bet of 0, a bet of 5, and the rollbacks of both',
      [free, paid, unroll, rollbackOf({ id: 'y', of: 'free' })],
      'void',
    ],
    [
      'a bet_win of zero, a bet, and the rollback of the bet',
      [betWinOf({ id: 'bw', bet: 0n, win: 0n, round: 'r' }), paid, unroll],
      'open',
    ],
    [
      'a refused bet_win, a bet, and the rollback of the bet',
      [betWinOf({ id: 'bw', bet: 11n, win: 0n, round: 'r' }), paid, unroll],
      'void',
    ],
    ['a refused bet after a bet of 0', [free, refused], 'open'],
    ['an accepted bet after a refused bet', [refused, paid], 'open'],
    ['a bet after the rollback of another bet', [paid, unroll, free], 'open'],
    ['two bets and the rollback of one', [paid, betOf({ id: 'b', amount: 1n, round: 'r' }), unroll], 'open'],
    [
      'a bet, a win, and the rollback of the bet',
      [paid, winOf({ id: 'w', amount: 1n, round: 'r' }), unroll],
      'open',
    ],
    ['end_round after a refused bet', [refused, endRoundOf({ round: 'r' })], 'closed'],
    ['a refused bet after end_round', [endRoundOf({ round: 'r' }), free], 'closed'],
  ])('after %s, the round has the status $2', (_case, commands, status) => {
    const books = createBooks({ ann: 10n });
    let last: string | undefined;
    for (const command of commands) {
      const rounds = books.apply(command).decision.rounds ?? [];
      last = rounds.find((round) => round.id === 'r')?.status ?? last;
    }
    expect(last).toBe(status);
  });

  it('a round is void after the rollback of its bet of 0 even if `zeroBets` does not count the bet', () => {
    const [opened] = createBooks({ ann: 10n }).apply(free).decision.rounds ?? [];
    if (!opened) throw new Error('the bet opened no round');
    const round = withoutBet({ ...opened, zeroBets: 0 }, 0n);
    expect(round).toMatchObject({ status: 'void', zeroBets: 0 });
  });

  it('a closed round stays closed if a second rollback of its bet arrives for that round', () => {
    const books = createBooks({ ann: 10n });
    books.applyAll(paid, unroll, endRoundOf({ round: 'r' }));
    const { decision } = books.apply(rollbackOf({ id: 'y', of: 'paid', round: 'r' }));
    expect(decision.rounds?.map((round) => round.status)).toEqual(['closed']);
  });
});

/** Decides a rollback in a process that has cached only the bet. */
function rollBackAlone(round: string | undefined) {
  const bet = betOf({ id: 'b', amount: 5n, ...(round && { round }) });
  const { decision } = createBooks({ ann: 10n }).apply(bet);
  const state = createState({
    packageId: 7,
    overdraftLimit: 0n,
    sequence: 3n,
    nowMs: 1,
    accounts: [[ann, { balance: 5n, lastSequence: 3n }]],
  });
  for (const movement of decision.movements) state.movements.set(movement.idHash, movement);
  state.assumed = createAssumed();
  const { outcome, rounds } = decide(state, rollbackOf({ id: 'x', of: 'b' }));
  const result = 'movement' in outcome ? outcome.movement.result : outcome.kind;
  return { result, rounds, asked: state.assumed.rounds.size };
}

it('a rollback assumes that an uncached round is absent, and records the assumption', () => {
  expect(rollBackAlone('r')).toEqual({ result: 'rolled_back', rounds: [], asked: 1 });
});

it('a rollback of a bet without a round looks up no round', () => {
  expect(rollBackAlone(undefined)).toEqual({ result: 'rolled_back', rounds: [], asked: 0 });
});
