// Withdraws all free codes of a pool. They are never handed out, and no other pool or purchase can use them.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import type { Pool } from './pool.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { getPool } from './queries.ts';
import { lockPool, savePool, saveWithdrawn } from './store.ts';

/** The number of codes in a transaction, so that no statement reaches its time limit. */
const batchSize = 5000;

export async function withdrawPool(db: Db, target: PoolToChange): Promise<{ pool: Pool; withdrawn: number }> {
  await getPool(db, keyOf(target));
  for (let withdrawn = 0; ; ) {
    const batch = await db.transaction((tx) => withdrawBatch(tx, target));
    withdrawn += batch.count;
    if (batch.count < batchSize) return { pool: batch.pool, withdrawn };
  }
}

async function withdrawBatch(tx: Tx, target: PoolToChange): Promise<{ pool: Pool; count: number }> {
  const key = keyOf(target);
  const before = await lockPool(tx, key);
  const count = await saveWithdrawn(tx, key, batchSize);
  if (count === 0) return { pool: before, count };
  const after = {
    ...before,
    freeCount: before.freeCount - BigInt(count),
    withdrawnCount: before.withdrawnCount + BigInt(count),
    updatedAt: target.now,
  };
  await savePool(tx, after);
  await auditPool(tx, target, 'pool_withdrawn', { count });
  return { pool: after, count };
}
