// Writes `code_pools` and `pool_codes`.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { StoredCode } from '../purchases/code.ts';
import type { Pool, PoolKey } from './pool.ts';

/**
 * Serialises the creation and renaming of pools and the addition of codes in a workspace until the
 * transaction ends. So the limits hold exactly, and two imports of the same codes cannot deadlock. Draws do
 * not wait for this lock. A transaction must take this lock before it locks a pool.
 */
export async function lockStock(tx: Tx, workspaceId: bigint): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `code pools of workspace ${workspaceId}`,
  ]);
}

export type NewPool = Pick<
  Pool,
  | 'workspaceId'
  | 'name'
  | 'itemId'
  | 'licenseType'
  | 'priceMinor'
  | 'currency'
  | 'supportMonths'
  | 'lowStockBelow'
  | 'createdAt'
>;

/** Inserts a pool without codes. Returns undefined if the name is taken. */
export const insertPool = (tx: Tx, pool: NewPool): Promise<Pool | undefined> =>
  queryRow<Pool>(
    tx,
    `insert into code_pools (workspace_id, name, item_id, license_type, price_minor, currency,
       support_months, low_stock_below, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     on conflict (workspace_id, name) do nothing returning *`,
    [
      pool.workspaceId,
      pool.name,
      pool.itemId,
      pool.licenseType,
      pool.priceMinor,
      pool.currency,
      pool.supportMonths,
      pool.lowStockBelow,
      pool.createdAt,
    ],
  );

/**
 * Locks a pool until the transaction ends. A transaction that changes codes of the pool or records an event
 * must lock the pool first. All transactions thus take their locks in the same order: pool, codes, events.
 * New codes may be inserted earlier, because other transactions cannot see them. Until the inserting
 * transaction ends, no other transaction can change the pool's name. So a transaction that renames a pool
 * calls `lockStock` first.
 */
export async function lockPool(tx: Tx, { workspaceId, poolId }: PoolKey): Promise<Pool> {
  const statement = 'select * from code_pools where workspace_id = $1 and id = $2 for no key update';
  const pool = await queryRow<Pool>(tx, statement, [workspaceId, poolId]);
  if (!pool) throw fail('pool_not_found');
  return pool;
}

/** Saves the name, the threshold and the counts of a locked pool. */
export async function savePool(tx: Tx, pool: Pool): Promise<void> {
  await tx.query(
    `update code_pools set name = $3, low_stock_below = $4, low_stock_at = $5, free_count = $6,
       assigned_count = $7, withdrawn_count = $8, updated_at = $9
     where workspace_id = $1 and id = $2`,
    [
      pool.workspaceId,
      pool.id,
      pool.name,
      pool.lowStockBelow,
      pool.lowStockAt,
      pool.freeCount,
      pool.assignedCount,
      pool.withdrawnCount,
      pool.updatedAt,
    ],
  );
}

/** Inserts free codes in the given order, and returns how many were new to the workspace's pools. */
export async function insertCodes(
  tx: Tx,
  { workspaceId, poolId }: PoolKey,
  codes: readonly StoredCode[],
): Promise<number> {
  const { rowCount } = await tx.query(
    `insert into pool_codes (workspace_id, pool_id, code_hash, code_sealed)
     select $1, $2, decode(hash, 'hex'), decode(sealed, 'hex')
     from unnest($3::text[], $4::text[]) with ordinality as t (hash, sealed, position) order by position
     on conflict do nothing`,
    [
      workspaceId,
      poolId,
      codes.map((code) => code.hash.toString('hex')),
      codes.map((code) => code.sealed.toString('hex')),
    ],
  );
  return rowCount ?? 0;
}

/**
 * Marks a code of a locked pool as handed out, and deletes its sealed copy. The purchase has a copy of its
 * own.
 */
export async function saveAssigned(
  tx: Tx,
  given: { workspaceId: bigint; codeHash: Buffer; purchaseId: bigint },
): Promise<void> {
  await tx.query(
    `update pool_codes set state = 'assigned', purchase_id = $3, code_sealed = null
     where workspace_id = $1 and code_hash = $2`,
    [given.workspaceId, given.codeHash, given.purchaseId],
  );
}

/**
 * Withdraws up to `limit` free codes of a locked pool, and deletes their sealed copies. Returns the number of
 * codes.
 */
export async function saveWithdrawn(
  tx: Tx,
  { workspaceId, poolId }: PoolKey,
  limit: number,
): Promise<number> {
  const { rowCount } = await tx.query(
    `update pool_codes set state = 'withdrawn', code_sealed = null
     where workspace_id = $1 and code_hash in (select code_hash from pool_codes
       where workspace_id = $1 and pool_id = $2 and state = 'free' order by id limit $3)`,
    [workspaceId, poolId, limit],
  );
  return rowCount ?? 0;
}
