// Creates a pool without codes, or changes its name and its threshold.
import { isUniqueViolation, type Tx } from '@counterfoil/kit/postgres/db';
import { type Static, Type } from 'typebox';
import type { Caller } from '../audit/audit-event.ts';
import { fail } from '../errors.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { NewPurchaseInput, readSale } from '../purchases/management/purchase-input.ts';
import { NamedObject, Price } from '../wire/input.ts';
import { refuseField } from '../wire/refusals.ts';
import { LowStockBelow, maxPools, type Pool, PoolName, settleStock } from './pool.ts';
import { auditPool, keyOf, type PoolToChange } from './pool-audit.ts';
import { countPools } from './queries.ts';
import { insertPool, lockPool, lockStock, savePool } from './store.ts';

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
  const name = readName(givenName);
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

function readName(given: string): string {
  const name = given.trim();
  if (name === '') throw refuseField('name', 'must not be empty.');
  return name;
}

export const PoolChangeInput = Type.Partial(
  Type.Object({ name: PoolName, low_stock_below: LowStockBelow }),
);

export async function changePool(
  tx: Tx,
  target: PoolToChange,
  input: Static<typeof PoolChangeInput>,
): Promise<Pool> {
  const before = await lockPool(tx, keyOf(target));
  const name = input.name === undefined ? before.name : readName(input.name);
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
