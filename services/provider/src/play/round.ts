// A round as the player's browser requests it, and its answer.
import { Type } from 'typebox';
import type { Outcome } from '../machines/machine.ts';

export const SpinBody = Type.Object({
  /** The number of the round, counted by the browser. A repeated number means the same round. */
  round: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  bet_minor: Type.Integer({ minimum: 1, maximum: 10_000_000_000 }),
  field: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Null()])),
});

export interface RoundOrder {
  readonly number: number;
  readonly betMinor: bigint;
  readonly field: string | null;
}

export interface RoundResult {
  readonly outcome: Outcome;
  /** The balance in main units; null until the wallet has answered. */
  readonly balance: number | null;
  /** Whether the round is settled; false until the wallet has accepted the win. */
  readonly isSettled: boolean;
}

export function presentRound(order: RoundOrder, result: RoundResult) {
  return {
    round: order.number,
    bet_minor: Number(order.betMinor),
    win_minor: Number(result.outcome.winMinor),
    balance: result.balance,
    settled: result.isSettled,
    outcome: presentOutcome(result.outcome),
  };
}

function presentOutcome(outcome: Outcome) {
  if (outcome.kind === 'pick') {
    const { drawn, field, winMinor } = outcome;
    return { kind: 'pick' as const, drawn, field: field.id, won: winMinor > 0n };
  }
  const wins = outcome.wins.map(({ winMinor, ...win }) => ({ ...win, win_minor: Number(winMinor) }));
  return { kind: 'slot' as const, grid: outcome.grid, wins };
}
