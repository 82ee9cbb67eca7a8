// Correct histories with retries, concurrency and faults: the checker finds no violation.
import { describe, expect, it } from 'vitest';
import type { Order, Outcome } from '../client/order.ts';
import { checkHistory } from './check-test-run.ts';
import {
  askBack,
  askBet,
  askDebit,
  asked,
  askShort,
  askWin,
  attempt,
  back,
  bet,
  bob,
  broke,
  check,
  clock,
  debit,
  makeFacts,
  makeOutcome,
  no,
  opened,
  opening,
  overloaded,
  type Post,
  type Story,
  short,
  unknown,
  win,
} from './hand-made-history.ts';

describe('a correct history', () => {
  const tombstone: Post = { ...back, amount: 0n, result: 'tombstoned' };
  it.each<[string, Story]>([
    [
      'a bet with two wins',
      {
        posts: [bet, win, { ...win, id: 'w2' }],
        calls: [
          [askBet, 'new'],
          [askWin, 'new'],
          [{ ...askWin, id: 'w2' }, 'new'],
        ],
      },
    ],
    [
      'a win before its bet, and the same win after it',
      {
        posts: [bet, win],
        calls: [
          [askWin, no('bet_not_found')],
          [askBet, 'new'],
          [askWin, 'new', 'repeat'],
        ],
      },
    ],
    [
      'two rollbacks of one bet, and a win after them',
      {
        posts: [bet, back, { ...back, id: 'k2', amount: 0n, result: 'already_rolled_back' }],
        calls: [
          [askBet, 'new'],
          [askBack, unknown, 'repeat', 'repeat'],
          [{ ...askBack, id: 'k2' }, 'new'],
          [askWin, no('bet_rolled_back')],
        ],
      },
    ],
    [
      'a rollback before its bet',
      {
        posts: [{ ...tombstone, reference: '' }],
        calls: [
          [askBack, 'new'],
          [askBet, no('bet_rolled_back')],
          [askWin, no('bet_rolled_back')],
        ],
      },
    ],
    [
      "another player's bet",
      {
        posts: [
          { kind: 'credit', id: 'cb', amount: 500n, creditAccount: bob },
          { ...bet, debitAccount: bob },
          tombstone,
        ],
        calls: [
          [asked('credit', 'cb', { player: 'bob', amountMinor: 500n }), 'new'],
          [{ ...askBet, player: 'bob' }, 'new'],
          [askBack, 'new'],
          [askWin, no('bet_not_found')],
        ],
      },
    ],
    [
      'a bet that is refused, with its win and its rollback',
      {
        posts: [
          { ...bet, amount: 5000n, result: 'insufficient_funds' },
          { ...back, amount: 0n, result: 'nothing_to_roll_back' },
        ],
        calls: [
          [{ ...askBet, amountMinor: 5000n }, unknown, ...twice(no('insufficient_funds', true))],
          [askWin, no('bet_refused')],
          [askBack, 'new'],
        ],
      },
    ],
    [
      'a bet that was won and cannot be rolled back',
      {
        posts: [bet, win],
        calls: [
          [askBet, 'new'],
          [askWin, overloaded, 'new'],
          [askBack, no('bet_already_settled')],
        ],
      },
    ],
    [
      'two orders with the same id and different amounts',
      {
        posts: [debit],
        calls: [
          [askDebit, 'new'],
          [{ ...askDebit, amountMinor: 31n }, no('transaction_conflict')],
        ],
      },
    ],
    [
      'an order with an unknown outcome that was not applied, and an order that was given up',
      {
        calls: [
          [askWin, unknown, ...twice(no('bet_not_found'))],
          [askDebit, overloaded],
        ],
      },
    ],
    [
      'an order with an unknown outcome that was applied',
      {
        posts: [debit],
        calls: [[askDebit, overloaded, unknown, 'repeat', 'repeat']],
      },
    ],
    [
      "a credit that exceeds the package's credit",
      {
        posts: [{ kind: 'credit', id: 'x', amount: 9001n, result: 'package_credit_exhausted' }],
        calls: [[asked('credit', 'x', { amountMinor: 9001n }), no('package_credit_exhausted', true)]],
      },
    ],
    [
      'a process that was stopped by a signal and then refuses an old request',
      {
        calls: [[askDebit, no('request_timeout')]],
        excuses: [{ fromMs: 0, toMs: 1_000_000 }],
      },
    ],
    [
      'a refusal that contains the balance, and its repeat',
      {
        posts: [short],
        calls: [
          [
            askShort,
            { ...broke, balanceMinor: 1000n, duplicate: false },
            { ...broke, balanceMinor: 1000n, duplicate: true },
          ],
        ],
      },
    ],
  ])('a correct history passes the checks: %s', (_name, story) => {
    expect(check(story)).toEqual([]);
  });

  it('the checker accepts answers to concurrent attempts of one order in any sequence', () => {
    const facts = makeFacts([...opening, bet, win]);
    const first = opened.map(([order, outcome]) => ({
      order,
      attempts: [attempt({ outcome: makeOutcome(facts, order, outcome ?? 'new') })],
    }));
    const at = (order: Order, times: [number, number], outcome: 'new' | 'repeat' | Outcome) => ({
      sentAtMs: clock.now + times[0],
      answeredAtMs: clock.now + times[1],
      answer: { outcome: makeOutcome(facts, order, outcome) },
    });
    const calls = [
      ...first,
      { order: askBet, attempts: [at(askBet, [0, 9], 'new'), at(askBet, [1, 3], 'repeat')] },
      {
        order: askWin,
        attempts: [
          at(askWin, [0, 10], no('bet_not_found')),
          at(askWin, [1, 9], 'repeat'),
          at(askWin, [2, 11], 'new'),
        ],
      },
    ];
    expect(checkHistory({ calls, reads: [], excuses: [] }, facts)).toEqual([]);
  });
});

function twice(outcome: Outcome): [Outcome, Outcome] {
  return [outcome, outcome];
}
