// A pool of purchase codes: the terms of the purchases to come, the stock of codes, and the limits.
import { presentTime } from '@counterfoil/kit/http/answers';
import { shownAs } from '@counterfoil/kit/http/openapi/schema-marks';
import { notBlankForm, PrintableText } from '@counterfoil/kit/http/text';
import { toJsonNumber } from '@counterfoil/kit/money';
import { Type } from 'typebox';
import { type LicenseType, licenseTypes } from '../purchases/purchase.ts';
import type { NewEvent } from '../webhooks/events.ts';
import { NamedObject } from '../wire/input.ts';
import { refuseField } from '../wire/refusals.ts';

/** The maximum number of pools of a workspace. */
export const maxPools = 1000;
/** The maximum number of free codes of an item, in all its pools together. */
export const maxFreeCodes = 100_000;
/**
 * The maximum number of withdrawn codes of an item, in all its pools together. An item with this number of
 * withdrawn codes gets no new codes. The hashes of withdrawn codes are kept for ever, so that no withdrawn
 * code ever becomes valid.
 */
export const maxWithdrawnCodes = 1_000_000;
/** The maximum number of codes that one request generates. */
export const maxGenerated = 10_000;
/** The maximum number of codes in one import request. 500 codes of 128 ASCII characters fit into 64 KiB. */
export const maxImported = 500;

export interface PoolKey {
  readonly workspaceId: bigint;
  readonly poolId: bigint;
}

export interface Pool {
  readonly workspaceId: bigint;
  readonly id: bigint;
  readonly name: string;
  readonly itemId: bigint;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  /** Undefined means the months of the workspace at the time of the draw. */
  readonly supportMonths: number | undefined;
  readonly lowStockBelow: number;
  /** When the free codes fell below `lowStockBelow`. Undefined while there are enough. */
  readonly lowStockAt: Date | undefined;
  readonly freeCount: bigint;
  readonly assignedCount: bigint;
  readonly withdrawnCount: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const maxNameLength = 100;

export const PoolName = shownAs(
  PrintableText({
    min: 1,
    max: maxNameLength,
    description: 'The name of the pool. A workspace has no two pools with the same name.',
  }),
  notBlankForm(maxNameLength),
);

export function readPoolName(given: string): string {
  const name = given.trim();
  if (name === '') throw refuseField('name', 'must not be empty.');
  return name;
}

export const LowStockBelow = Type.Integer({
  minimum: 0,
  maximum: maxFreeCodes,
  description: 'The event `pool.low_stock` and a mail are sent when fewer codes are free; 0 means never.',
});

export const PoolAnswer = NamedObject('Pool', {
  id: Type.Integer(),
  name: Type.String({ description: 'The name of the pool.' }),
  item_id: Type.Integer(),
  license_type: Type.Enum([...licenseTypes]),
  price: Type.Number({ description: 'The price of the purchases to come.' }),
  currency: Type.String(),
  support_months: Type.Optional(
    Type.Integer({
      description: 'Months of support of the purchases to come. Absent if they are those of the workspace.',
    }),
  ),
  low_stock_below: LowStockBelow,
  is_low: Type.Boolean({
    description: 'Whether a draw left fewer free codes than `low_stock_below` and none were added since.',
  }),
  free: Type.Integer({ description: 'Codes that a draw can hand out.' }),
  assigned: Type.Integer({ description: 'Codes that were handed out.' }),
  withdrawn: Type.Integer({ description: 'Codes that were withdrawn and are never handed out.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
});

export const presentPool = (pool: Pool) => ({
  id: Number(pool.id),
  name: pool.name,
  item_id: Number(pool.itemId),
  license_type: pool.licenseType,
  price: toJsonNumber(pool.priceMinor, pool.currency),
  currency: pool.currency,
  ...(pool.supportMonths !== undefined && { support_months: pool.supportMonths }),
  low_stock_below: pool.lowStockBelow,
  is_low: pool.lowStockAt !== undefined,
  free: Number(pool.freeCount),
  assigned: Number(pool.assignedCount),
  withdrawn: Number(pool.withdrawnCount),
  created_at: presentTime(pool.createdAt),
  updated_at: presentTime(pool.updatedAt),
});

const isBelow = (pool: Pool): boolean => pool.freeCount < BigInt(pool.lowStockBelow);

/**
 * The pool after a draw. Only the draw that crosses the threshold sets `lowStockAt`, so the shortage is
 * reported once until codes are added.
 */
export function takeOne(pool: Pool, at: Date): Pool {
  const { freeCount, assignedCount } = pool;
  const after = { ...pool, freeCount: freeCount - 1n, assignedCount: assignedCount + 1n, updatedAt: at };
  return isBelow(after) && !pool.lowStockAt ? { ...after, lowStockAt: at } : after;
}

/** The pool with another threshold or other codes. If there are enough free codes, the pool is not low. */
export const settleStock = (pool: Pool): Pool => (isBelow(pool) ? pool : { ...pool, lowStockAt: undefined });

export const makeLowStockEvent = (pool: Pool, at: Date): NewEvent => ({
  type: 'pool.low_stock',
  at,
  subject: `pool:${pool.id}`,
  data: {
    pool_id: Number(pool.id),
    item_id: Number(pool.itemId),
    name: pool.name,
    free: Number(pool.freeCount),
    low_stock_below: pool.lowStockBelow,
  },
});
