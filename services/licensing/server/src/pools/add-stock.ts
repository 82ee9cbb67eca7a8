// Counts added codes in their pool.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type Pool, type PoolKey, settleStock } from './pool.ts';
import { lockPool, savePool } from './store.ts';

/** The pool is locked only here, after the codes were inserted, so that draws wait only shortly. */
export async function addStock(
  tx: Tx,
  key: PoolKey,
  { added, at }: { added: number; at: Date },
): Promise<Pool> {
  const before = await lockPool(tx, key);
  const freeCount = before.freeCount + BigInt(added);
  const after = settleStock({ ...before, freeCount, updatedAt: at });
  await savePool(tx, after);
  return after;
}
