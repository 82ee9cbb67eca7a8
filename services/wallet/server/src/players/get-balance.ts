// A player's balance, read from the ledger's own row: it always shows the caller's last write.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { type FoundBalance, selectPlayerBalances } from './store.ts';

export type GetBalance = (packageId: number, playerId: string) => Promise<FoundBalance>;

/**
 * Who asks while a query is under way shares the next one with all others of the package that do:
 * it starts after the last of them has asked, so each sees what was written before.
 */
export function createBalanceReader(db: Queryable): GetBalance {
  const load = createCoalescer<string, FoundBalance>({
    maxBatch: 512,
    maxInFlight: 2,
    load: async (group, playerIds) => {
      const found = await selectPlayerBalances(db, Number(group), playerIds);
      return playerIds.map((playerId) => found.get(playerId));
    },
  });
  return async (packageId, playerId) => {
    const found = await load(String(packageId), playerId);
    if (!found) throw fail('player_not_found');
    return found;
  };
}
