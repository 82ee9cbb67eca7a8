// Bets and rounds as decisions see them: known, known to be absent, or assumed to be absent.
import type { BetState, RoundState } from './decision.ts';
import type { Movement } from './movement.ts';

/** Null is known not to be there; undefined is not known. */
export interface GameMemory {
  findMovement(idHash: string): Movement | undefined;
  findBet(key: string): BetState | null | undefined;
  findRound(key: string): RoundState | null | undefined;
}

/** What decisions took for absent because nothing was known of it; the write proves it, or fails. */
export interface Assumed {
  readonly ids: Set<string>;
  readonly bets: Map<string, Key>;
  readonly rounds: Map<string, Key>;
}

interface Key {
  readonly hash: string;
  readonly account: bigint;
}

export const createAssumed = (): Assumed => ({
  ids: new Set(),
  bets: new Map(),
  rounds: new Map(),
});
