// The cached bets, rounds and game movements of a package. An outdated entry costs a retry and nothing else.
import type { BetState, RoundState } from '../rules/decision.ts';
import type { Movement } from '../rules/movement.ts';
import type { Assumed, KnownGames } from '../rules/state.ts';

export interface GameCache extends KnownGames {
  /**
   * Stores the effects of a committed batch. The commit of the batch also proved that the ids, bets and
   * rounds in `assumed` were absent.
   */
  store(written: {
    movements: Iterable<Movement>;
    bets: ReadonlyMap<string, BetState>;
    rounds: ReadonlyMap<string, RoundState>;
    assumed: Assumed | undefined;
  }): void;
}

/**
 * Removing an entry is always safe. An entry that is not cached is assumed absent, and the next write checks
 * this assumption.
 */
export function createGameCache(maxEntries: number): GameCache {
  const movements = createGenerations<Movement>(maxEntries);
  const bets = createGenerations<BetState | null>(maxEntries);
  const rounds = createGenerations<RoundState | null>(maxEntries);
  return {
    findMovement: movements.get,
    findBet: bets.get,
    findRound: rounds.get,
    store: (written) => {
      for (const movement of written.movements) movements.set(movement.idHash, movement);
      for (const key of written.assumed?.bets.keys() ?? []) bets.set(key, null);
      for (const key of written.assumed?.rounds.keys() ?? []) rounds.set(key, null);
      for (const [key, bet] of written.bets) bets.set(key, bet);
      for (const [key, round] of written.rounds) rounds.set(key, round);
    },
  };
}

/** A map of limited size in two halves. When the newer half is full, the older half is dropped. */
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
