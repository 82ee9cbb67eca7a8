// What a process remembers of bets and rounds between batches; as with balances, being wrong costs a retry.

import type { BetState, Decision, RoundState } from '../rules/decision.ts';
import type { Movement } from '../rules/movement.ts';
import type { Assumed, GameMemory } from '../rules/state.ts';

export interface KeptGames extends GameMemory {
  /** Takes in what was written, and with it the proof of what was assumed. */
  remember(written: {
    movements: Iterable<Movement>;
    bets: ReadonlyMap<string, NonNullable<Decision['bet']>>;
    rounds: ReadonlyMap<string, RoundState>;
    assumed: Assumed | undefined;
  }): void;
}

/** Forgetting is always safe: what is not known is assumed, and proven by the next write. */
export function createGameMemory(maxEntries: number): KeptGames {
  const movements = createGenerations<Movement>(maxEntries);
  const bets = createGenerations<BetState | null>(maxEntries);
  const rounds = createGenerations<RoundState | null>(maxEntries);
  return {
    findMovement: movements.get,
    findBet: bets.get,
    findRound: rounds.get,
    remember: (written) => {
      for (const movement of written.movements) movements.set(movement.idHash, movement);
      for (const key of written.assumed?.bets.keys() ?? []) bets.set(key, null);
      for (const key of written.assumed?.rounds.keys() ?? []) rounds.set(key, null);
      for (const [key, bet] of written.bets) bets.set(key, bet);
      for (const [key, round] of written.rounds) rounds.set(key, round);
    },
  };
}

/** A bounded map: when the newer half is full, the older one is given up as a whole. */
function createGenerations<Value>(maxEntries: number) {
  let recent = new Map<string, Value>();
  let older = new Map<string, Value>();
  return {
    get: (key: string): Value | undefined => {
      const value = recent.get(key);
      return value === undefined ? older.get(key) : value;
    },
    set: (key: string, value: Value) => {
      recent.set(key, value);
      if (recent.size < maxEntries / 2) return;
      older = recent;
      recent = new Map();
    },
  };
}
