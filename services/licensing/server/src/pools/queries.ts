// Reads pools and their codes.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../errors.ts';
import type { Page } from '../wire/paging.ts';
import { maxFreeCodes, maxWithdrawnCodes, type Pool, type PoolKey } from './pool.ts';

export async function getPool(db: Queryable, { workspaceId, poolId }: PoolKey): Promise<Pool> {
  const statement = 'select * from code_pools where workspace_id = $1 and id = $2';
  const pool = await queryRow<Pool>(db, statement, [workspaceId, poolId]);
  if (!pool) throw fail('pool_not_found');
  return pool;
}

/** Lists pools, newest first. */
export const listPools = (
  db: Queryable,
  { workspaceId, itemId }: { workspaceId: bigint; itemId?: bigint | undefined },
  page: Page,
): Promise<Pool[]> =>
  queryRows<Pool>(
    db,
    `select * from code_pools
     where workspace_id = $1 and ($2::bigint is null or id < $2) and ($3::bigint is null or item_id = $3)
     order by id desc limit $4`,
    [workspaceId, page.after[0], itemId, page.limit],
  );

export async function countPools(db: Queryable, workspaceId: bigint): Promise<bigint> {
  const statement = 'select count(*)::bigint as count from code_pools where workspace_id = $1';
  return (await queryRow<{ count: bigint }>(db, statement, [workspaceId]))?.count ?? 0n;
}

/** Throws if the item would have too many codes in all its pools after `more` free codes were added. */
export async function refuseFullItem(
  db: Queryable,
  { workspaceId, itemId }: Pick<Pool, 'workspaceId' | 'itemId'>,
  more: number,
): Promise<void> {
  const statement = `select coalesce(sum(free_count), 0)::bigint as free,
      coalesce(sum(withdrawn_count), 0)::bigint as withdrawn
    from code_pools where workspace_id = $1 and item_id = $2`;
  const counts = await queryRow<{ free: bigint; withdrawn: bigint }>(db, statement, [workspaceId, itemId]);
  const { free = 0n, withdrawn = 0n } = counts ?? {};
  if (Number(free) + more > maxFreeCodes) throw fail('pool_full');
  if (Number(withdrawn) >= maxWithdrawnCodes) throw fail('too_many_withdrawn');
}

export interface FreeCode {
  readonly id: bigint;
  readonly codeHash: Buffer;
  readonly codeSealed: Buffer;
}

/**
 * Selects the next code that a draw hands out; undefined if there is none. The pool must be locked. A code
 * that was sold outside the pool at the time of its import is passed over, and so is a sold code that was
 * replaced.
 */
export const selectNextCode = (tx: Tx, { workspaceId, poolId }: PoolKey): Promise<FreeCode | undefined> =>
  queryRow<FreeCode>(
    tx,
    `select id, code_hash, code_sealed from pool_codes c
     where workspace_id = $1 and pool_id = $2 and state = 'free' and not exists (
       select from purchases p where p.workspace_id = $1 and p.code_hash = c.code_hash)
       and not exists (
       select from retired_codes r where r.workspace_id = $1 and r.code_hash = c.code_hash)
     order by id limit 1`,
    [workspaceId, poolId],
  );

/** Selects a page of the free codes of a pool, in the order in which they will be handed out. */
export const selectFreeAfter = (
  db: Queryable,
  { workspaceId, poolId, afterId, limit }: PoolKey & { afterId: bigint; limit: number },
): Promise<FreeCode[]> =>
  queryRows<FreeCode>(
    db,
    `select id, code_hash, code_sealed from pool_codes
     where workspace_id = $1 and pool_id = $2 and state = 'free' and id > $3 order by id limit $4`,
    [workspaceId, poolId, afterId, limit],
  );

/** Where a code exists already, and the name of its pool if it is in a pool. */
export interface KnownCode {
  /** The hash of the code as hex text. */
  readonly hash: string;
  readonly at: 'pool' | 'purchase' | 'replaced';
  readonly poolName: string | undefined;
}

/**
 * Finds codes that a pool must not get: codes of pools, of purchases, and codes that were replaced. A code
 * that a pool handed out is found in its pool.
 */
export const selectKnownCodes = (
  db: Queryable,
  { workspaceId, hashes }: { workspaceId: bigint; hashes: readonly string[] },
): Promise<KnownCode[]> =>
  queryRows<KnownCode>(
    db,
    `with given as (select decode(h, 'hex') as hash from unnest($2::text[]) as h)
     select encode(code_hash, 'hex') as hash, 'replaced' as at, null as pool_name from retired_codes
     where workspace_id = $1 and code_hash in (select hash from given)
     union all
     select encode(code_hash, 'hex'), 'purchase', null from purchases
     where workspace_id = $1 and code_hash in (select hash from given)
     union all
     select encode(c.code_hash, 'hex'), 'pool', p.name from pool_codes c
     join code_pools p on p.workspace_id = c.workspace_id and p.id = c.pool_id
     where c.workspace_id = $1 and c.code_hash in (select hash from given)`,
    [workspaceId, hashes],
  );
