// Cases about players: unknown players, blocked players, currencies and sessions.
import type { CaseGroup, CertificationCase } from '../certification-case.ts';
import type { Caller, Message, OtherCallers } from '../speaker.ts';
import { dialectsWithSessions } from '../speakers/speakers.ts';
import { describe, type Steps } from '../steps.ts';
import { placeBet } from './money.ts';
import { dialectsWithUnrelatedWins } from './order.ts';

/**
 * Returns the caller with this name. The caller always exists here, because a case is skipped if the user of
 * the command did not name its caller.
 */
function getCaller({ others }: Steps, name: keyof OtherCallers): Caller {
  const caller = others[name];
  if (!caller) throw new Error(`the caller ${name} is missing`);
  return caller;
}

const forEvery: readonly CertificationCase[] = [
  {
    id: 'unknown-player',
    kind: 'players',
    rule: 'Requests for an unknown player are refused',
    fault: 'The wallet does not refuse an unknown player correctly',
    run: async (steps) => {
      const { speaker, newId, unit, refuse } = steps;
      const caller = { ...steps.caller, playerId: `nobody-${newId()}` };
      await refuse('a balance call for an unknown player', speaker.balance(caller), 'player');
      const bet = speaker.bet(caller, { id: newId(), round: newId(), amount: unit });
      await refuse('a bet of an unknown player', bet, 'player');
    },
  },
  {
    id: 'wrong-currency',
    kind: 'players',
    rule: "A bet in another currency than the player's is refused",
    fault: 'The wallet accepts another currency',
    run: async (steps) => {
      const { speaker, newId, unit, refuse } = steps;
      const caller = { ...steps.caller, currency: 'ZZZ' };
      const bet = speaker.bet(caller, { id: newId(), round: newId(), amount: unit });
      await refuse('a bet in the currency ZZZ', bet, 'currency');
    },
  },
];

const blockedPlayer: CertificationCase = {
  id: 'blocked-player',
  kind: 'players',
  rule: 'A blocked player cannot bet, but gets wins and rollbacks',
  fault: 'The wallet does not treat a blocked player correctly',
  needs: 'blocked',
  run: async (steps) => {
    const caller = getCaller(steps, 'blocked');
    const [bet, other] = [placeBet({ ...steps, caller }), placeBet({ ...steps, caller })];
    await steps.refuse('a bet of a blocked player', bet.message, 'blocked');
    // The wallet knows neither of the two bets: it refused the first bet, and the second bet is not sent. So
    // the rollback names an unknown bet, and so does a win that names its bet.
    if (steps.speaker.acceptsUnknownRollback) await acceptBlocked(steps, 'a rollback', bet.rollback());
    else await steps.refuse('a rollback for a blocked player', bet.rollback(), 'unknown_rollback');
    if (dialectsWithUnrelatedWins.includes(steps.speaker.dialect)) await winBlocked(steps, caller);
    else await steps.refuse('a win for an unknown bet of a blocked player', other.win(), 'unknown_bet');
  },
};

/** Sends a request of the blocked player. The player's balance is unknown, so only the answer is checked. */
async function acceptBlocked(steps: Steps, what: string, message: Message): Promise<void> {
  const answer = await steps.send(message);
  steps.expect(answer.accepted, `${what} for a blocked player`, 'be accepted', describe(answer));
}

/** Pays a win to the blocked player and takes the win back. */
async function winBlocked(steps: Steps, caller: Caller): Promise<void> {
  const { speaker, newId, unit } = steps;
  const [id, round] = [newId(), newId()];
  await acceptBlocked(steps, 'a win', speaker.win(caller, { id, round, bet: '', amount: unit }));
  const reverse = speaker.reverseWin ?? speaker.rollback;
  await acceptBlocked(steps, 'a rollback of a win', reverse(caller, { id: newId(), round, of: id }));
}

const sessionCases: readonly CertificationCase[] = [
  {
    id: 'unknown-session',
    kind: 'players',
    rule: 'A bet with an unknown session is refused',
    fault: 'The wallet accepts bets without a running session',
    run: async (steps) => {
      const bet = placeBet({ ...steps, caller: { ...steps.caller, session: steps.newId() } });
      await steps.refuse('a bet with an unknown session', bet.message, 'session');
    },
  },
  {
    id: 'session-of-other-player',
    kind: 'players',
    rule: 'A session of another player is refused like an unknown one',
    fault: 'The wallet accepts sessions of other players',
    needs: 'foreign',
    run: async (steps) => {
      const caller = getCaller(steps, 'foreign');
      const balance = steps.speaker.balance(caller);
      await steps.refuse('a balance call with a session of another player', balance, 'session');
      const bet = placeBet({ ...steps, caller });
      await steps.refuse('a bet with a session of another player', bet.message, 'session');
    },
  },
  {
    id: 'expired-session',
    kind: 'players',
    rule: 'With an expired session bets are refused, but wins and rollbacks are accepted',
    fault: 'The wallet does not treat an expired session correctly',
    needs: 'expired',
    run: async (steps) => {
      const { speaker, newId, unit } = steps;
      const late = getCaller(steps, 'expired');
      const bet = placeBet({ ...steps, caller: late });
      await steps.refuse('a bet with an expired session', bet.message, 'expired');
      const [won, returned] = [placeBet(steps), placeBet(steps)];
      for (const each of [won, returned]) await steps.accept(each.what, each.message, -unit);
      const win = { id: newId(), round: won.round, bet: won.id, amount: unit };
      await steps.accept('a win with an expired session', speaker.win(late, win), unit);
      const rollback = { id: newId(), round: returned.round, of: returned.id };
      await steps.accept('a rollback with an expired session', speaker.rollback(late, rollback), unit);
    },
  },
];

export const playerGroups: readonly CaseGroup[] = [
  { cases: [...forEvery, blockedPlayer] },
  { dialects: [...dialectsWithSessions], cases: sessionCases },
];
