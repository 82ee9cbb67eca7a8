// Changes the name of a pool and its threshold.
import { isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import { type Static, Type } from 'typebox';
import { fail } from '../errors.ts';
import { LowStockBelow, type Pool, PoolName, readPoolName, settleStock } from './pool.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { lockPool, lockStock, savePool } from './store.ts';

export const PoolChangeInput = Type.Partial(Type.Object({ name: PoolName, low_stock_below: LowStockBelow }));

export async function changePool(
  tx: Tx,
  target: PoolToChange,
  input: Static<typeof PoolChangeInput>,
): Promise<Pool> {
  const key = keyOf(target);
  if (input.name !== undefined) await lockStock(tx, key.workspaceId);
  const before = await lockPool(tx, key);
  const name = input.name === undefined ? before.name : readPoolName(input.name);
  const lowStockBelow = input.low_stock_below ?? before.lowStockBelow;
  const details = {
    ...(name !== before.name && { name: { from: before.name, to: name } }),
    ...(lowStockBelow !== before.lowStockBelow && {
      low_stock_below: { from: before.lowStockBelow, to: lowStockBelow },
    }),
  };
  if (Object.keys(details).length === 0) return before;
  const after = settleStock({ ...before, name, lowStockBelow, updatedAt: target.now });
  await savePool(tx, after).catch((error: unknown) => {
    throw isUniqueViolation(error) ? fail('pool_name_taken', { cause: error }) : error;
  });
  await auditPool(tx, target, 'pool_changed', details);
  return after;
}
