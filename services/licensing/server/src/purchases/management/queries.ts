// Reads purchases for the people who manage them, and sums up sales.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import { fail } from '../../errors.ts';
import type { ItemKey } from '../../items/queries.ts';
import type { Page } from '../../wire/paging.ts';
import type { PurchaseState } from '../purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';

export interface PurchaseKey {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
}

export const findPurchase = (db: Queryable, key: PurchaseKey): Promise<ManagedPurchase | undefined> =>
  queryRow<ManagedPurchase>(db, 'select * from purchases where workspace_id = $1 and id = $2', [
    key.workspaceId,
    key.purchaseId,
  ]);

/** The message of the error for an unknown purchase id. */
export const noSuchPurchase = { msg: 'There is no such purchase' };

export async function getPurchase(db: Queryable, key: PurchaseKey): Promise<ManagedPurchase> {
  const purchase = await findPurchase(db, key);
  if (!purchase) throw fail('purchase_not_found', noSuchPurchase);
  return purchase;
}

/**
 * Finds the purchase of a repeated sale by its Idempotency-Key or by its code. The Idempotency-Key takes
 * precedence.
 */
export const selectPurchaseOnce = (
  db: Queryable,
  by: { workspaceId: bigint; codeHash: Buffer; request: { readonly idempotencyHash: Buffer } | undefined },
): Promise<ManagedPurchase | undefined> =>
  queryRow<ManagedPurchase>(
    db,
    `select * from purchases
     where workspace_id = $1 and (code_hash = $2 or idempotency_hash = $3)
     order by idempotency_hash is not distinct from $3::bytea desc limit 1`,
    [by.workspaceId, by.codeHash, by.request?.idempotencyHash],
  );

export const findByIdempotencyKey = (
  db: Queryable,
  workspaceId: bigint,
  idempotencyHash: Buffer,
): Promise<ManagedPurchase | undefined> =>
  queryRow<ManagedPurchase>(db, 'select * from purchases where workspace_id = $1 and idempotency_hash = $2', [
    workspaceId,
    idempotencyHash,
  ]);

export async function findPurchaseId(
  db: Queryable,
  by: { workspaceId: bigint; codeHash: Buffer },
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ id: bigint }>(
    'select id from purchases where workspace_id = $1 and code_hash = $2',
    [by.workspaceId, by.codeHash],
  );
  return rows[0]?.id;
}

/** Counts the active purchases of each item. Items without an active purchase are absent. */
export async function countCodes(
  db: Queryable,
  of: { workspaceId: bigint; itemIds: readonly bigint[] },
): Promise<Map<bigint, number>> {
  const { rows } = await db.query<{ item_id: bigint; codes: bigint }>(
    `select item_id, count(*) as codes from purchases
     where workspace_id = $1 and item_id = any($2::bigint[]) and state = 'active'
     group by item_id`,
    [of.workspaceId, of.itemIds],
  );
  return new Map(rows.map((row) => [row.item_id, Number(row.codes)]));
}

/** Counts the active purchases of an item by the version that was downloaded last. */
export async function countBuyers(db: Queryable, key: ItemKey): Promise<Map<string, number>> {
  const { rows } = await db.query<{ version: string; buyers: bigint }>(
    `select downloaded_version as version, count(*) as buyers from purchases
     where workspace_id = $1 and item_id = $2 and state = 'active' and downloaded_version is not null
     group by downloaded_version`,
    [key.workspaceId, key.itemId],
  );
  return new Map(rows.map((row) => [row.version, Number(row.buyers)]));
}

export interface PurchaseFilter {
  readonly workspaceId: bigint;
  readonly codeHash?: Buffer | undefined;
  readonly buyerEmail?: string | undefined;
  /** The beginning of the buyer's name, in any letter case. */
  readonly buyerName?: string | undefined;
  readonly itemId?: bigint | undefined;
  readonly state?: PurchaseState | undefined;
  /** The normalised host on which the purchase is or was activated. */
  readonly host?: string | undefined;
  readonly id?: bigint | undefined;
}

/** Lists purchases, newest first. */
export async function listPurchases(
  db: Queryable,
  filter: PurchaseFilter,
  page: Page,
): Promise<ManagedPurchase[]> {
  const values: unknown[] = [filter.workspaceId, page.limit];
  const conditions = ['workspace_id = $1'];
  // The statement contains only the given filters, so that PostgreSQL can use the indexes for these filters.
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  where((at) => `id < ${at}`, page.after[0]);
  where((at) => `code_hash = ${at}`, filter.codeHash);
  where((at) => `lower(buyer_email) = ${at}`, filter.buyerEmail);
  where((at) => `lower(buyer_name) ^@ lower(${at})`, filter.buyerName);
  where((at) => `item_id = ${at}`, filter.itemId);
  where((at) => `state = ${at}`, filter.state);
  where((at) => `id = ${at}`, filter.id);
  if (filter.host !== undefined) {
    const host = `$${values.push(filter.host)}`;
    const below = page.after[0] === undefined ? '' : `and a.purchase_id < $${values.push(page.after[0])}`;
    return queryRows<ManagedPurchase>(db, selectOfHost(host, below, conditions), values);
  }
  return queryRows<ManagedPurchase>(
    db,
    `select * from purchases where ${conditions.join(' and ')} order by id desc limit $2`,
    values,
  );
}

/**
 * The statement that lists the purchases that are or were activated on a host. The activations of the host
 * are read in the order of their purchases, so that a page reads few rows even if the host has many
 * purchases. A purchase has at most one activation of each host.
 */
const selectOfHost = (host: string, below: string, conditions: readonly string[]): string =>
  `select p.* from activations a, lateral (
     select * from purchases where ${conditions.join(' and ')} and id = a.purchase_id) p
   where a.workspace_id = $1 and a.target = ${host} and a.target_kind = 'domain' ${below}
   order by a.purchase_id desc limit $2`;

/**
 * Selects a page of purchases, oldest first. In this order, a sale that is added between two pages is on a
 * later page.
 */
export const selectPurchasesAfter = (
  db: Queryable,
  from: { workspaceId: bigint; afterId: bigint; limit: number },
): Promise<ManagedPurchase[]> =>
  queryRows<ManagedPurchase>(
    db,
    'select * from purchases where workspace_id = $1 and id > $2 order by id limit $3',
    [from.workspaceId, from.afterId, from.limit],
  );

/** Whether a request with this Idempotency-Key has already replaced a code of the purchase. */
export async function wasReissued(
  tx: Tx,
  purchase: ManagedPurchase,
  idempotencyHash: Buffer,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from retired_codes
     where workspace_id = $1 and purchase_id = $2 and idempotency_hash = $3`,
    [purchase.workspaceId, purchase.id, idempotencyHash],
  );
  return rows.length > 0;
}

/** The times at which codes of these purchases were replaced since `since`, newest first. */
export const selectReissues = (
  db: Queryable,
  of: { workspaceId: bigint; purchaseIds: readonly bigint[]; since: Date; limit: number },
): Promise<{ purchaseId: bigint; retiredAt: Date }[]> =>
  queryRows(
    db,
    `select purchase_id, retired_at from retired_codes
     where workspace_id = $1 and purchase_id = any($2::bigint[]) and retired_at > $3
     order by retired_at desc limit $4`,
    [of.workspaceId, of.purchaseIds, of.since, of.limit],
  );

/** Returns those of the given hashes whose codes were replaced. All hashes are hex texts. */
export async function selectRetired(
  db: Queryable,
  codes: { workspaceId: bigint; hashes: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>(
    `select encode(code_hash, 'hex') as hash from retired_codes
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)`,
    [codes.workspaceId, codes.hashes],
  );
  return rows.map((row) => row.hash);
}

/**
 * Returns those of the given hashes whose codes are in a pool and were not handed out. All hashes are hex
 * texts.
 */
export async function selectPooled(
  db: Queryable,
  codes: { workspaceId: bigint; hashes: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>(
    `select encode(code_hash, 'hex') as hash from pool_codes
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)
       and state <> 'assigned'`,
    [codes.workspaceId, codes.hashes],
  );
  return rows.map((row) => row.hash);
}

export interface SalesDay {
  readonly day: Date;
  readonly currency: string;
  readonly count: bigint;
  readonly totalMinor: bigint;
}

interface Period {
  readonly workspaceId: bigint;
  readonly from: Date;
  /** The first moment after the period. */
  readonly to: Date;
}

/**
 * Sums up sales by day. Refunded and cancelled purchases do not count. Disputed and blocked purchases count,
 * because the seller still has the money.
 */
export const selectSalesByDay = (db: Queryable, period: Period): Promise<SalesDay[]> =>
  queryRows<SalesDay>(
    db,
    `select date_trunc('day', purchased_at, 'UTC') as day, currency,
       count(*)::bigint as count, sum(price_minor)::bigint as total_minor
     from purchases
     where workspace_id = $1 and purchased_at >= $2 and purchased_at < $3
       and state in ('active', 'disputed')
     group by 1, 2 order by 1, 2`,
    [period.workspaceId, period.from, period.to],
  );

const supportEnds = `workspace_id = $1 and supported_until >= $2 and supported_until < $3
  and state = 'active' and blocked_at is null`;

/**
 * Selects the purchases whose support ends in the period, ordered by the end of support. Blocked purchases
 * are left out.
 */
export const selectSupportEnding = (
  db: Queryable,
  period: Period & { readonly limit: number },
): Promise<ManagedPurchase[]> =>
  queryRows<ManagedPurchase>(
    db,
    `select * from purchases where ${supportEnds} order by supported_until, id limit $4`,
    [period.workspaceId, period.from, period.to, period.limit],
  );

export async function countSupportEnding(db: Queryable, period: Period): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>(
    `select count(*)::bigint as count from purchases where ${supportEnds}`,
    [period.workspaceId, period.from, period.to],
  );
  return rows[0]?.count ?? 0n;
}
