// Reads the cash balance and the promo balance of a player. Reads that arrive at the same time share a query.
import { createCoalescer } from '@counterfoil/kit/concurrency/coalesce';
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { promoAccountOf } from '../ledger/rules/movement.ts';
import type { Balances } from './dialects/dialect.ts';
import { selectBalances } from './queries.ts';

export interface PurseReader {
  read(packageId: number, account: bigint): Promise<Balances>;
}

export function createPurseReader(db: Queryable): PurseReader {
  const load = createCoalescer<bigint, Balances>({
    maxBatch: 256,
    maxInFlight: 2,
    load: async (group, accounts) => {
      const wanted = accounts.flatMap((account) => [account, promoAccountOf(account)]);
      const found = await selectBalances(db, Number(group), wanted);
      return accounts.map((account) => ({
        cash: found.get(account) ?? 0n,
        promo: found.get(promoAccountOf(account)) ?? 0n,
      }));
    },
  });
  return {
    read: async (packageId, account) => (await load(String(packageId), account)) ?? { cash: 0n, promo: 0n },
  };
}
