// Plays one round at a time per session. A request that repeats the last round gets the answer of this round
// and places no bet. A request that repeats an earlier number is refused.
import { toJsonNumber } from '@counterfoil/kit/money';
import { fail, invalidField } from '../errors.ts';
import type { PlayedRound, PlaySession } from '../launches/play-session.ts';
import { listBets } from '../machines/machine.ts';
import { decide, playRealRound, type RealPlayDeps } from './play-real-round.ts';
import { presentRound, type RoundOrder, type RoundResult } from './round.ts';

export async function playRound(deps: RealPlayDeps, session: PlaySession, order: RoundOrder) {
  const { lastRound } = session;
  if (lastRound && order.number <= lastRound.number) return repeatRound(lastRound, order);
  if (lastRound?.isRunning) throw fail('round_in_progress');
  checkOrder(session, order, deps.now());
  const round: PlayedRound = {
    ...order,
    isRunning: true,
    answer: play(deps, session, order)
      .then((result) => presentRound(order, result))
      .finally(() => {
        round.isRunning = false;
      }),
  };
  session.lastRound = round;
  return round.answer;
}

function repeatRound(last: PlayedRound, order: RoundOrder): PlayedRound['answer'] {
  const isSame =
    order.number === last.number && order.betMinor === last.betMinor && order.field === last.field;
  if (!isSame) throw fail('round_conflict');
  return last.answer;
}

function checkOrder({ launch }: PlaySession, order: RoundOrder, nowMs: number): void {
  if (launch.expiresAtMs <= nowMs) throw fail('session_expired');
  const wrong = (field: string) => invalidField(field, 'is not offered by this game.');
  if (!listBets(launch.decimals).includes(order.betMinor)) throw wrong('bet_minor');
  const { machine } = launch.game;
  const fields = machine.kind === 'pick' ? machine.model.fields.map(({ id }) => id) : [null];
  if (!fields.includes(order.field as never)) throw wrong('field');
}

async function play(deps: RealPlayDeps, session: PlaySession, order: RoundOrder): Promise<RoundResult> {
  const { launch } = session;
  if (launch.mode === 'real') return playRealRound(deps, launch, order);
  const balance = () => toJsonNumber(session.demoBalanceMinor, launch);
  if (session.demoBalanceMinor < order.betMinor) {
    throw fail('insufficient_funds', { data: { balance: balance() } });
  }
  const outcome = decide(deps, launch, order);
  session.demoBalanceMinor += outcome.winMinor - order.betMinor;
  return { outcome, balance: balance(), isSettled: true };
}
