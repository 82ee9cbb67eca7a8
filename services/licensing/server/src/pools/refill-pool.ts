// Generates codes until a pool has the wanted number of free codes. A repeated request generates nothing.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { makeCode, toStoredCode } from '../purchases/code.ts';
import { addStock } from './add-stock.ts';
import { maxGenerated, type Pool } from './pool.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { getPool, refuseFullItem } from './queries.ts';
import { insertCodes, lockStock } from './store.ts';

/** The number of codes in a transaction. A transaction of this size takes less than a tenth of a second. */
const batchSize = 1000;

export interface Refill {
  readonly pool: Pool;
  readonly generated: number;
  /** The number of codes that are still missing, because one call generates at most `most` codes. */
  readonly missing: number;
}

interface Wanted extends PoolToChange {
  /** The number of free codes that the pool has afterwards. */
  readonly free: number;
  /** The maximum number of codes to generate. */
  readonly most?: number;
}

export async function refillPool(
  { db, masterKey }: { db: Db; masterKey: MasterKey },
  { most = maxGenerated, ...target }: Wanted,
): Promise<Refill> {
  for (let generated = 0; ; ) {
    const size = Math.min(batchSize, most - generated);
    const batch = await db.transaction((tx) => generateBatch(tx, masterKey, { ...target, size }));
    generated += batch.generated;
    if (batch.missing === 0 || generated >= most) return { ...batch, generated };
  }
}

async function generateBatch(
  tx: Tx,
  masterKey: MasterKey,
  target: Wanted & { readonly size: number },
): Promise<Refill> {
  const key = keyOf(target);
  await lockStock(tx, key.workspaceId);
  const pool = await getPool(tx, key);
  const wanted = target.free - Number(pool.freeCount);
  if (wanted <= 0) return { pool, generated: 0, missing: 0 };
  await refuseFullItem(tx, pool, wanted);
  const count = Math.min(wanted, target.size);
  const codes = Array.from({ length: count }, () => toStoredCode(masterKey, makeCode()));
  const generated = await insertCodes(tx, key, codes);
  const after = await addStock(tx, key, { added: generated, at: target.now });
  await auditPool(tx, target, 'pool_codes_generated', { count: generated });
  return { pool: after, generated, missing: wanted - generated };
}
