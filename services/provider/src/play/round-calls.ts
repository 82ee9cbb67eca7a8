// The callbacks of a round: the bet, the calls that settle it, and reads of the balance.
import { toJsonNumber } from '@counterfoil/kit/money';
import type { Callback, CallbackBody } from '../callbacks/callback.ts';
import type { DialectClient } from '../callbacks/dialects/client.ts';
import type { ConnectionRegistry } from '../connections/connections.ts';
import type { Launch } from '../launches/launch.ts';
import type { Outcome } from '../machines/machine.ts';
import type { RoundOrder } from './round.ts';

export type Protocol = ReturnType<ConnectionRegistry['findChosen']>;

export const makeBet = (id: string, launch: Launch, order: RoundOrder): CallbackBody => ({
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

const winIdOf = (bet: CallbackBody) => String(bet.transaction_id).replace(/^bet/, 'win');

const makeWin = (bet: CallbackBody, launch: Launch, outcome: Outcome): CallbackBody => ({
  ...bet,
  action: 'win',
  transaction_id: winIdOf(bet),
  reference_transaction_id: bet.transaction_id,
  amount: toJsonNumber(outcome.winMinor, launch),
  round_finished: true,
});

/** Makes one callback with the bet and the win. The wallet applies both or neither. */
export const makeBetWin = (bet: CallbackBody, launch: Launch, outcome: Outcome): CallbackBody => ({
  ...bet,
  action: 'bet_win',
  win_amount: toJsonNumber(outcome.winMinor, launch),
  win_transaction_id: winIdOf(bet),
  round_finished: true,
});

/**
 * Returns the calls that settle a round, in order. If the dialect ends rounds with a separate call, a lost
 * round has only this call. Otherwise a lost round is settled by a win of zero.
 */
export function listSettlement(
  bet: CallbackBody,
  launch: Launch,
  outcome: Outcome,
  client: DialectClient | undefined,
): CallbackBody[] {
  const win = makeWin(bet, launch, outcome);
  if (!client?.endsRoundsByCall) return [win];
  const end = { ...bet, action: 'end_round', transaction_id: `end-${bet.transaction_id}` };
  return outcome.winMinor === 0n ? [end] : [win, end];
}

export function makeBalanceRead(launch: Launch, protocol: Protocol): Callback {
  const { uid, playerId } = launch;
  const body = { action: 'balance', player_id: playerId };
  if (!protocol) return { uid, body };
  const more = { session_id: launch.sessionId, game_id: launch.game.id, currency: launch.currency };
  return { uid, connection: protocol.connection.id, body: { ...body, ...more } };
}
