// Creates a pool without codes, with the terms of the purchases to come.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { type Static, Type } from 'typebox';
import type { Caller } from '../audit/audit-event.ts';
import { fail } from '../errors.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { NewPurchaseInput, readSale } from '../purchases/management/purchase-input.ts';
import { NamedObject, Price } from '../wire/input.ts';
import { LowStockBelow, maxPools, type Pool, PoolName, readPoolName } from './pool.ts';
import { auditPool } from './pool-audit.ts';
import { countPools } from './queries.ts';
import { insertPool, lockStock } from './store.ts';

const { item_id, license_type, currency } = NewPurchaseInput.properties;

export const NewPoolInput = NamedObject('NewPool', {
  item_id,
  name: PoolName,
  license_type,
  price: Type.Optional(Price("The price of the purchases to come; by default the item's price now.")),
  currency,
  support_months: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 120,
      description: 'Months of support of the purchases to come; by default those of the workspace.',
    }),
  ),
  low_stock_below: Type.Optional(LowStockBelow),
});

/** The terms follow the rules of a sale, because each code of the pool becomes a sale. */
export async function createPool(
  tx: Tx,
  { caller, input, now }: { caller: Caller; input: Static<typeof NewPoolInput>; now: Date },
): Promise<Pool> {
  const { workspaceId } = caller;
  const { name: givenName, support_months: supportMonths, low_stock_below = 0, ...terms } = input;
  const item = await getOwnItem(tx, { workspaceId, itemId: BigInt(input.item_id) });
  const { itemId, licenseType, priceMinor, ...sale } = readSale(terms, item, { now, supportMonths: 0 });
  const name = readPoolName(givenName);
  await lockStock(tx, workspaceId);
  if ((await countPools(tx, workspaceId)) >= maxPools) throw fail('too_many_pools');
  const pool = await insertPool(tx, {
    workspaceId,
    name,
    itemId,
    licenseType,
    priceMinor,
    currency: sale.currency,
    supportMonths,
    lowStockBelow: low_stock_below,
    createdAt: now,
  });
  if (!pool) throw fail('pool_name_taken');
  await auditPool(tx, { caller, poolId: pool.id, now }, 'pool_created', { name, item_id: Number(itemId) });
  return pool;
}
