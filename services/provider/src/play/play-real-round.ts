// A round for money. The wallet accepts the bet before the outcome is drawn, and no callback is lost.
import { randomUUID } from 'node:crypto';
import { toJsonNumber } from '@counterfoil/kit/money';
import type { CallbackBody, Verdict } from '../callbacks/callback.ts';
import { isFinal, type Outbox, rollbackOf } from '../callbacks/outbox.ts';
import { deliverCallback, type SendCallback } from '../callbacks/send-callback.ts';
import { fail } from '../errors.ts';
import type { Faults } from '../faults/faults.ts';
import type { Launch } from '../launches/launch.ts';
import type { Draw } from '../machines/draw.ts';
import { type Outcome, runMachine } from '../machines/machine.ts';
import type { RoundOrder, RoundResult } from './round.ts';

export interface RealPlayDeps {
  readonly outbox: Outbox;
  readonly send: SendCallback;
  readonly faults: Faults;
  readonly draw: Draw;
  readonly waitsMs: readonly number[];
  readonly now: () => number;
}

export async function playRealRound(
  deps: RealPlayDeps,
  launch: Launch,
  order: RoundOrder,
): Promise<RoundResult> {
  const { outbox, send, waitsMs } = deps;
  const id = randomUUID();
  const { uid } = launch;
  const bet = makeBet(id, launch, order);
  // The bet is on disk before it is sent, so that the next process can roll it back.
  await outbox.hold({ id, uid, body: bet });
  const early = deps.faults.read().reorder_callbacks ? decide(deps, launch, order) : undefined;
  if (early) await send({ uid, body: makeWin(bet, launch, early) }, 1);

  const { verdict, wasUnknown } = await deliverCallback(send, { uid, body: bet }, waitsMs);
  if (verdict.kind !== 'accepted') {
    // A refusal after an attempt without an answer does not say whether that attempt was applied.
    if (verdict.kind === 'unknown' || wasUnknown) {
      await outbox.hold({ id, uid, body: rollbackOf(bet) });
      outbox.release(id);
    } else {
      await outbox.remove(id);
    }
    throw explainRefusal(verdict);
  }
  const outcome = early ?? decide(deps, launch, order);
  return settle(deps, { id, uid, body: makeWin(bet, launch, outcome) }, outcome);
}

async function settle(
  deps: RealPlayDeps,
  entry: { id: string; uid: string; body: CallbackBody },
  outcome: Outcome,
): Promise<RoundResult> {
  await deps.outbox.hold(entry);
  const { verdict } = await deliverCallback(deps.send, entry, deps.waitsMs);
  if (isFinal(verdict)) await deps.outbox.remove(entry.id);
  else deps.outbox.release(entry.id);
  if (verdict.kind === 'accepted') {
    return { outcome, balance: verdict.answer.balance, isSettled: true };
  }
  if (isFinal(verdict)) {
    throw fail('settlement_refused', { data: { round_id: entry.body.round_id } });
  }
  return { outcome, balance: null, isSettled: false };
}

export function decide(deps: RealPlayDeps, launch: Launch, order: RoundOrder): Outcome {
  const outcome = runMachine(launch.game.machine, { ...order, draw: deps.draw });
  if (!outcome) throw fail('invalid_parameter');
  return outcome;
}

const makeBet = (id: string, launch: Launch, order: RoundOrder): CallbackBody => ({
  action: 'bet',
  player_id: launch.playerId,
  session_id: launch.sessionId,
  game_id: launch.game.id,
  round_id: `round-${id}`,
  transaction_id: `bet-${id}`,
  amount: toJsonNumber(order.betMinor, launch),
  currency: launch.currency,
  round_finished: false,
});

/** A lost round is settled by a win of zero. */
const makeWin = (bet: CallbackBody, launch: Launch, outcome: Outcome): CallbackBody => ({
  ...bet,
  action: 'win',
  transaction_id: String(bet.transaction_id).replace(/^bet/, 'win'),
  reference_transaction_id: bet.transaction_id,
  amount: toJsonNumber(outcome.winMinor, launch),
  round_finished: true,
});

function explainRefusal(verdict: Exclude<Verdict, { kind: 'accepted' }>): Error {
  if (verdict.kind === 'unknown') return fail('wallet_unreachable');
  const { code, balance } = verdict.answer;
  if (code === 'insufficient_funds') return fail('insufficient_funds', { data: { balance } });
  if (code === 'session_expired') return fail('session_expired');
  return fail('play_refused');
}
