// Cases about repeats: a repeated call gets the same answer, and the money moves only once.
import type { CertificationCase } from '../certification-case.ts';
import { placeBet } from './money.ts';

const parallelBets = 8;

export const repeatCases: readonly CertificationCase[] = [
  {
    id: 'repeated-bet',
    kind: 'repeats',
    rule: 'A repeated bet gets the first answer and takes the money once',
    fault: 'The wallet answers the repeat of a bet differently or takes the money again',
    run: async (steps) => {
      const [bet, other] = [placeBet(steps), placeBet(steps)];
      const first = await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.repeat('a repeated bet', bet.message, first);
      await steps.accept('another bet', other.message, -other.amount);
      await steps.repeat('a bet that is repeated after another bet', bet.message, first);
      await steps.accept('a win', bet.win(), bet.amount);
      await steps.accept('a win', other.win(), other.amount);
    },
  },
  {
    id: 'repeated-win',
    kind: 'repeats',
    rule: 'A repeated win gets the first answer and pays the money once',
    fault: 'The wallet answers the repeat of a win differently or pays the money again',
    run: async (steps) => {
      const [bet, other] = [placeBet(steps), placeBet(steps)];
      await steps.accept(bet.what, bet.message, -bet.amount);
      const win = bet.win();
      const first = await steps.accept('a win', win, bet.amount);
      await steps.accept('another bet', other.message, -other.amount);
      await steps.repeat('a repeated win', win, first);
      await steps.accept('a win', other.win(), other.amount);
    },
  },
  {
    id: 'repeated-rollback',
    kind: 'repeats',
    rule: 'A repeated rollback gets the first answer and returns the money once',
    fault: 'The wallet answers the repeat of a rollback differently or returns the money again',
    run: async (steps) => {
      const [bet, other] = [placeBet(steps), placeBet(steps)];
      await steps.accept(bet.what, bet.message, -bet.amount);
      const rollback = bet.rollback();
      const first = await steps.accept('a rollback', rollback, bet.amount);
      await steps.accept('another bet', other.message, -other.amount);
      await steps.repeat('a repeated rollback', rollback, first);
      await steps.accept('a win', other.win(), other.amount);
    },
  },
  {
    id: 'second-rollback',
    kind: 'repeats',
    rule: 'A second rollback of the same bet returns nothing',
    fault: 'The wallet returns a bet twice',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.accept('a rollback', bet.rollback(), bet.amount);
      await steps.ignore('a second rollback of the bet', bet.rollback());
    },
  },
  {
    id: 'parallel-bets',
    kind: 'repeats',
    rule: `${parallelBets} equal bets at the same time get the same answer and take the money once`,
    fault: 'The wallet does not apply exactly one of the equal bets that arrive at the same time',
    run: async (steps) => {
      const { speaker, unit, balance, send, expectBalance, expect } = steps;
      const bet = placeBet(steps);
      const after = balance() - unit;
      const sent = Array.from({ length: parallelBets }, () => send(bet.message));
      const [first, ...others] = await Promise.all(sent);
      const what = `${parallelBets} equal bets at the same time`;
      await expectBalance(what, -unit);
      const isSame = first?.accepted && others.every((answer) => speaker.isSameAnswer(first, answer, after));
      expect(isSame === true, what, 'all get the same answer', 'the answers differ');
      await steps.accept('a win', bet.win(), unit);
    },
  },
  {
    id: 'reused-id',
    kind: 'repeats',
    rule: 'A bet with the id of another bet and another amount is refused',
    fault: 'The wallet accepts other content under an id that was used before',
    run: async (steps) => {
      const { speaker, caller, unit } = steps;
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -unit);
      const { id, round } = bet;
      const changed = speaker.bet(caller, { id, round, amount: unit * 2n });
      await steps.refuse('a bet with a used id and another amount', changed, 'conflict');
      await steps.accept('a win', bet.win(), unit);
    },
  },
];
