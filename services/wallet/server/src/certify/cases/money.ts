// Cases about money: exact amounts, missing funds and limits.
import type { CertificationCase } from '../certification-case.ts';
import type { Answer, Reason } from '../speaker.ts';
import type { Steps } from '../steps.ts';

/**
 * Builds a bet in a new round, and functions that build the win and the rollback of this bet. Sends nothing.
 */
export function placeBet({ speaker, caller, newId, format, unit }: Steps, amount = unit) {
  const [id, round] = [newId(), newId()];
  return {
    id,
    round,
    amount,
    what: `a bet of ${format(amount)}`,
    message: speaker.bet(caller, { id, round, amount }),
    win: (win = amount) => speaker.win(caller, { id: newId(), round, bet: id, amount: win }),
    rollback: () => speaker.rollback(caller, { id: newId(), round, of: id }),
  };
}

/** Bets and wins the same amount, so that the balance is the same afterwards. */
async function playEven(steps: Steps, amount: bigint): Promise<void> {
  const bet = placeBet(steps, amount);
  await steps.accept(bet.what, bet.message, -amount);
  await steps.accept(`a win of ${steps.format(amount)}`, bet.win(), amount);
}

/**
 * If the dialect requires the balance in refusals with this reason, checks that the refusal contains the
 * balance.
 */
export function expectBalanceIn(
  { speaker, balance, expect, format }: Steps,
  answer: Answer,
  reason: Reason,
  what: string,
): void {
  if (!speaker.showsBalance.includes(reason)) return;
  const isShown = answer.balance === balance();
  const seen = answer.balance === undefined ? 'it did not' : `it had ${format(answer.balance)}`;
  expect(isShown, what, `contain the balance ${format(balance())}`, seen);
}

export const moneyCases: readonly CertificationCase[] = [
  {
    id: 'bet-and-win',
    kind: 'money',
    rule: 'A bet takes its amount and a win pays its amount',
    fault: 'The wallet does not book a bet and a win correctly',
    run: (steps) => playEven(steps, steps.unit),
  },
  {
    id: 'exact-amounts',
    kind: 'money',
    rule: 'Amounts are booked exactly to the last decimal',
    fault: 'The wallet rounds amounts',
    run: async (steps) => {
      for (const amount of [7n, 29n, steps.unit + 1n]) await playEven(steps, amount);
    },
  },
  {
    id: 'too-fine-amounts',
    kind: 'bodies',
    rule: 'An amount with too many decimals is refused, not rounded',
    fault: 'The wallet rounds amounts',
    run: async (steps) => {
      const { speaker, caller, newId, unit } = steps;
      for (const text of speaker.tooFineAmounts) {
        const move = { id: newId(), round: newId(), amount: { text } };
        await steps.refuse(`a bet of ${text}`, speaker.bet(caller, move), 'invalid');
        const bet = placeBet(steps);
        await steps.accept(bet.what, bet.message, -unit);
        const win = { ...move, id: newId(), round: bet.round, bet: bet.id };
        await steps.refuse(`a win of ${text}`, speaker.win(caller, win), 'invalid');
        await steps.accept('a win', bet.win(), unit);
      }
    },
  },
  {
    id: 'invalid-amounts',
    kind: 'bodies',
    rule: 'Negative amounts and texts that are no amounts are refused',
    fault: 'The wallet accepts invalid amounts',
    run: async ({ speaker, caller, newId, refuse }) => {
      for (const text of speaker.badAmounts) {
        const move = { id: newId(), round: newId(), amount: { text } };
        await refuse(`a bet with the amount ${text || '(empty)'}`, speaker.bet(caller, move), 'invalid');
      }
    },
  },
  {
    id: 'missing-funds',
    kind: 'limits',
    rule: 'A bet above the balance is refused as missing funds',
    fault: 'The wallet does not refuse a bet above the balance correctly',
    stakesAll: true,
    run: async (steps) => {
      const bet = placeBet(steps, steps.balance() + 1n);
      const answer = await steps.refuse(bet.what, bet.message, 'funds');
      expectBalanceIn(steps, answer, 'funds', 'the refusal of a bet above the balance');
    },
  },
  {
    id: 'whole-balance',
    kind: 'limits',
    rule: 'A bet of the whole balance is accepted and can be rolled back',
    fault: 'The wallet does not accept a bet of the whole balance',
    stakesAll: true,
    run: async (steps) => {
      const bet = placeBet(steps, steps.balance());
      await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.accept('its rollback', bet.rollback(), bet.amount);
    },
  },
  {
    id: 'maximum-stake',
    kind: 'limits',
    rule: 'A bet above the maximum stake is refused with the code for limits',
    fault: 'The wallet does not enforce the maximum stake',
    needs: 'maxStake',
    run: async (steps) => {
      const bet = placeBet(steps, (steps.maxStake ?? 0n) + 1n);
      const answer = await steps.refuse(bet.what, bet.message, 'limit');
      expectBalanceIn(steps, answer, 'limit', 'the refusal of a bet above the maximum stake');
    },
  },
];
