// The checker finds wrong movements and answers in books whose sums are correct.
import { describe, expect, it } from 'vitest';
import type { Read } from '../client/client-log.ts';
import {
  ann,
  askBack,
  askBet,
  askDebit,
  askShort,
  askWin,
  back,
  bet,
  broke,
  check,
  clock,
  credit,
  debit,
  no,
  overloaded,
  type Story,
  short,
  unknown,
  win,
} from './hand-made-history.ts';

describe('the checker of stored rows', () => {
  it.each<[string, Story, string]>([
    [
      'a rollback of ten times the bet',
      {
        posts: [bet, { ...back, amount: 1000n }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a win and a rollback of one bet, both applied',
      {
        posts: [bet, win, back],
        calls: [
          [askBet, 'new'],
          [askWin, 'new'],
          [askBack, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a rollback and then a win of one bet, both applied',
      {
        posts: [bet, back, win],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
          [askWin, 'new'],
        ],
      },
      'I8',
    ],
    [
      'two rollbacks that both pay one bet back',
      {
        posts: [bet, back, { ...back, id: 'k2' }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
          [{ ...askBack, id: 'k2' }, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a bet that is applied after its tombstone',
      {
        posts: [{ ...back, amount: 0n, result: 'tombstoned' }, bet],
        calls: [
          [askBack, 'new'],
          [askBet, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a win on a bet that was refused',
      {
        posts: [{ ...bet, amount: 5000n, result: 'insufficient_funds' }, win],
        calls: [
          [{ ...askBet, amountMinor: 5000n }, no('insufficient_funds', true)],
          [askWin, 'new'],
        ],
      },
      'I8',
    ],
    [
      'a debit that is booked as a credit',
      {
        posts: [{ ...debit, debitAccount: credit, creditAccount: ann }],
        calls: [[askDebit, 'new']],
      },
      'I2',
    ],
    [
      "a bet that goes to the package's credit",
      { posts: [{ ...bet, creditAccount: credit }], calls: [[askBet, 'new']] },
      'I2',
    ],
    [
      'a win that refers to a bet that its order did not name',
      {
        posts: [bet, { ...bet, id: 'b2' }, { ...win, reference: 'b2' }],
        calls: [
          [askBet, 'new'],
          [{ ...askBet, id: 'b2' }, 'new'],
          [askWin, 'new'],
        ],
      },
      'I2',
    ],
    [
      'a rollback that does not find a stored bet',
      {
        posts: [bet, { ...back, amount: 0n, result: 'tombstoned', reference: '' }],
        calls: [
          [askBet, 'new'],
          [askBack, 'new'],
        ],
      },
      'I2',
    ],
    [
      'a refusal for insufficient funds although the funds are sufficient',
      {
        posts: [{ ...debit, result: 'insufficient_funds' }],
        calls: [[askDebit, no('insufficient_funds', true)]],
      },
      'I8',
    ],
  ])('the checker finds %s', (_name, story, invariant) => {
    expect(check(story)).toContain(invariant);
  });
});

describe('the check of the answers that the client received', () => {
  const played = { posts: [bet, win] };
  it.each<[string, Story, string]>([
    [
      'an unknown outcome, then two refusals that are not final, while the row is applied',
      {
        ...played,
        calls: [
          [askBet, 'new'],
          [askWin, unknown, no('bet_refused'), no('bet_refused')],
        ],
      },
      'I3',
    ],
    [
      'an unknown outcome, then two temporary refusals, while the row is applied',
      {
        ...played,
        calls: [
          [askWin, unknown, no('bet_not_found'), no('bet_not_found')],
          [askBet, 'new'],
        ],
      },
      'I3',
    ],
    [
      'an acknowledged order that is refused twice afterwards',
      {
        ...played,
        calls: [
          [askBet, 'new'],
          [askWin, 'new', no('bet_not_found'), no('bet_not_found')],
        ],
      },
      'I4',
    ],
    [
      'an overload answer, then an answer marked as a repeat, but no answer marked as new',
      { posts: [debit], calls: [[askDebit, overloaded, 'repeat']] },
      'I1',
    ],
    [
      'an answer marked as a repeat, but no other answer',
      { posts: [debit], calls: [[askDebit, 'repeat']] },
      'I1',
    ],
    [
      'an answer marked as new after an answer marked as a repeat',
      { posts: [debit], calls: [[askDebit, 'repeat', 'new']] },
      'I1',
    ],
    [
      'a refusal marked as a repeat, but no other answer',
      { posts: [short], calls: [[askShort, { ...broke, duplicate: true }]] },
      'I1',
    ],
    [
      'a refusal that reports a wrong balance',
      { posts: [short], calls: [[askShort, { ...broke, balanceMinor: 999n }]] },
      'I3',
    ],
    ['player_not_found for an existing player', { calls: [[askDebit, no('player_not_found')]] }, 'I8'],
    ['valid credentials that are refused', { calls: [[askDebit, no('auth_invalid')]] }, 'I8'],
    [
      'a conflict although no other order has the id',
      { calls: [[askDebit, no('transaction_conflict')]] },
      'I8',
    ],
    [
      'a bet that is not found after it was acknowledged',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askWin, no('bet_not_found')],
        ],
      },
      'I8',
    ],
    [
      'a bet that is reported as rolled back without a rollback',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askWin, no('bet_rolled_back')],
        ],
      },
      'I8',
    ],
    [
      'a bet that is reported as settled without a win',
      {
        posts: [bet],
        calls: [
          [askBet, 'new'],
          [askBack, no('bet_already_settled')],
        ],
      },
      'I8',
    ],
  ])('the checker finds %s', (_name, story, invariant) => {
    expect(check(story)).toContain(invariant);
  });
});

describe('the checker of reads', () => {
  const read = (tookMs: number, shown: Partial<Read>): Read => {
    const sentAtMs = clock.now;
    clock.now += tookMs;
    return { packageId: 7, player: 'ann', sentAtMs, answeredAtMs: clock.now++, ...shown };
  };
  const right = { status: 200, balanceMinor: 1000n };

  it.each<[string, () => Read, string]>([
    ['an answer after 19 s', () => read(19_000, right), 'I7'],
    ['no answer for 19 s', () => read(19_000, {}), 'I7'],
    ['a 500', () => read(1, { status: 500 }), 'A'],
    ['a 503 without Retry-After', () => read(1, { status: 503, retryAfter: false }), 'A'],
    ['a 404 for an existing player', () => read(1, { status: 404 }), 'I8'],
    ['valid credentials that are refused', () => read(1, { status: 401 }), 'I8'],
    ['an answer without an exact balance', () => read(1, { status: 200 }), 'I6'],
  ])('the checker finds %s', (_name, make, invariant) => {
    expect(check({ reads: () => [make()] })).toEqual([invariant]);
  });

  it('the checker finds a read that shows an order sent after the read was answered', () => {
    const story = (answeredAtMs: number): Story => ({
      posts: [debit],
      calls: [[askDebit, 'new']],
      reads: () => [read(0, { status: 200, balanceMinor: 970n, sentAtMs: 0, answeredAtMs })],
    });
    clock.now = 100;
    // The debit is sent at 104 and answered at 105, after the two opening orders.
    expect(check(story(103))).toEqual(['I6']);
    clock.now = 100;
    expect(check(story(104))).toEqual([]);
  });

  it('the checker of reads accepts a correct balance, a lost answer, and a 503 with Retry-After', () => {
    const shown = [right, {}, { status: 503, retryAfter: true }];
    expect(check({ reads: () => shown.map((each) => read(2500, each)) })).toEqual([]);
  });
});
