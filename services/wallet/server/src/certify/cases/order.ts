// Cases about order: rollbacks before their bets, wins before or without their bets, and reversals of wins.
import type { DialectName } from '../../connections/dialects/dialect.ts';
import type { CaseGroup, CertificationCase } from '../certification-case.ts';
import type { Steps } from '../steps.ts';
import { placeBet } from './money.ts';

const forEvery: readonly CertificationCase[] = [
  {
    id: 'rollback',
    kind: 'money',
    rule: 'A rollback returns a bet',
    fault: 'The wallet does not return a bet that is rolled back',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.accept('its rollback', bet.rollback(), bet.amount);
    },
  },
  {
    id: 'rollback-before-bet',
    kind: 'tombstones',
    rule: 'A bet that arrives after its rollback is refused, however often it arrives',
    fault: 'The wallet forgets a rollback that arrives before its bet',
    run: async (steps) => {
      const bet = placeBet(steps);
      const what = 'a rollback of an unknown bet';
      if (steps.speaker.acceptsUnknownRollback) await steps.accept(what, bet.rollback(), 0n);
      else await steps.refuse(what, bet.rollback(), 'unknown_rollback');
      await steps.refuse('a bet that arrives after its rollback', bet.message, 'rolled_back');
      await steps.refuse('a repeat of that bet', bet.message, 'rolled_back');
    },
  },
];

const forUnrelatedWins: readonly CertificationCase[] = [
  {
    id: 'win-before-bet',
    kind: 'order',
    rule: 'A win that arrives before its bet is paid, and the bet is accepted later',
    fault: 'The wallet does not accept a win and its bet in the wrong order',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept('a win that arrives before its bet', bet.win(), bet.amount);
      await steps.accept('a bet that arrives after its win', bet.message, -bet.amount);
    },
  },
];

/** In these dialects a win does not name its bet. */
export const dialectsWithUnrelatedWins: readonly DialectName[] = ['softswiss', 'slotegrator'];

const forRelatedWins: readonly CertificationCase[] = [
  {
    id: 'win-after-rollback',
    kind: 'order',
    rule: 'A win for a bet that was rolled back is refused',
    fault: 'The wallet pays a win for a bet that was rolled back',
    run: async (steps) => {
      const bet = placeBet(steps);
      await steps.accept(bet.what, bet.message, -bet.amount);
      await steps.accept('its rollback', bet.rollback(), bet.amount);
      await steps.refuse('a win for a bet that was rolled back', bet.win(), 'rolled_back');
    },
  },
  {
    id: 'win-without-bet',
    kind: 'order',
    rule: 'A win for an unknown bet is refused',
    fault: 'The wallet pays a win for an unknown bet',
    run: (steps) =>
      steps.refuse('a win for an unknown bet', placeBet(steps).win(), 'unknown_bet').then(() => {}),
  },
];

/** Bets 1.00 and wins 2.00. Returns the bet, and the request that takes the win back. */
async function winDouble(steps: Steps) {
  const { speaker, caller, newId, unit } = steps;
  const bet = placeBet(steps);
  await steps.accept(bet.what, bet.message, -unit);
  const id = newId();
  const win = speaker.win(caller, { id, round: bet.round, bet: bet.id, amount: unit * 2n });
  await steps.accept('a win', win, unit * 2n);
  const reverse = speaker.reverseWin ?? speaker.rollback;
  return { bet, reversal: reverse(caller, { id: newId(), round: bet.round, of: id }) };
}

const forReversals: readonly CertificationCase[] = [
  {
    id: 'reversal-of-win',
    kind: 'reversals',
    rule: 'A rollback of a win takes the win back once',
    fault: 'The wallet does not take a win back correctly',
    run: async (steps) => {
      const { bet, reversal } = await winDouble(steps);
      const first = await steps.accept('a rollback of a win', reversal, steps.unit * -2n);
      await steps.repeat('a repeated rollback of a win', reversal, first);
      await steps.accept('a rollback of its bet', bet.rollback(), steps.unit);
    },
  },
  {
    id: 'clamped-reversal',
    kind: 'reversals',
    rule: 'A rollback of a win that the player has spent takes at most the balance',
    fault: 'The wallet does not stop at zero when it takes a win back',
    stakesAll: true,
    run: async (steps) => {
      const { unit, balance } = steps;
      const { reversal } = await winDouble(steps);
      const half = unit / 2n;
      const spent = placeBet(steps, balance() - half);
      await steps.accept('a bet of nearly the whole balance', spent.message, -spent.amount);
      await steps.accept('a rollback of a win that was spent', reversal, -half);
      await steps.accept('a rollback of the large bet', spent.rollback(), spent.amount);
      // The reversal could take only 0.50 of the win of 2.00, so the player kept 1.50 of the win. The first
      // bet cost 1.00. So the player now has 0.50 more than at the start, and this bet takes the 0.50.
      const rest = placeBet(steps, half);
      await steps.accept(rest.what, rest.message, -half);
    },
  },
];

export const orderGroups: readonly CaseGroup[] = [
  { cases: forEvery },
  { dialects: dialectsWithUnrelatedWins, cases: forUnrelatedWins },
  { dialects: ['hub88', 'valkyrie'], cases: forRelatedWins },
  { dialects: ['softswiss', 'hub88', 'slotegrator'], cases: forReversals },
];
