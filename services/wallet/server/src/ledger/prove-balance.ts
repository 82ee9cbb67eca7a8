// Whether an account's balance is what its movements in the journal come to.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type AccountHistory, selectAccountHistory } from './store/balance-proof-store.ts';

/** Some seconds at most; beyond that the proof of the whole ledger is the way. */
const maxMovements = 100_000;

export interface BalanceProof extends AccountHistory {
  readonly holds: boolean;
}

export async function proveBalance(
  db: Queryable,
  wanted: { packageId: number; account: bigint },
): Promise<BalanceProof | undefined> {
  const found = await selectAccountHistory(db, { ...wanted, rows: maxMovements });
  if (!found) return undefined;
  const holds = found.broken === 0n && found.opening + found.sum === found.balance;
  return { ...found, holds };
}
