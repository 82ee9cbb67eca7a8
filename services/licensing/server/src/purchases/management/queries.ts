// Reads purchases for the people who manage them, and sums up sales.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import type { Page } from '../../wire/paging.ts';
import type { PurchaseState } from '../purchase.ts';
import { fromPurchaseRow, type PurchaseRow } from '../store.ts';
import type { ManagedPurchase } from './managed-purchase.ts';

export interface ManagedRow extends PurchaseRow {
  buyer_erased_at: Date | null;
  input_hash: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

export interface PurchaseKey {
  readonly workspaceId: bigint;
  readonly purchaseId: bigint;
}

export const fromManagedRow = (row: ManagedRow): ManagedPurchase => ({
  ...fromPurchaseRow(row),
  codeHash: row.code_hash,
  codeSealed: row.code_sealed,
  buyerName: row.buyer_name ?? undefined,
  buyerEmail: row.buyer_email ?? undefined,
  buyerErasedAt: row.buyer_erased_at ?? undefined,
  inputHash: row.input_hash ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export async function findPurchase(
  db: Queryable,
  key: PurchaseKey,
): Promise<ManagedPurchase | undefined> {
  const { rows } = await db.query<ManagedRow>(
    'select * from purchases where workspace_id = $1 and id = $2',
    [key.workspaceId, key.purchaseId],
  );
  return rows[0] && fromManagedRow(rows[0]);
}

/** By the Idempotency-Key or the code of a repeated sale; the key takes precedence. */
export async function selectPurchaseOnce(
  db: Queryable,
  by: { workspaceId: bigint; codeHash: Buffer; idempotencyHash: Buffer | undefined },
): Promise<ManagedPurchase | undefined> {
  const { rows } = await db.query<ManagedRow>(
    `select * from purchases
     where workspace_id = $1 and (code_hash = $2 or idempotency_hash = $3)
     order by idempotency_hash is not distinct from $3::bytea desc limit 1`,
    [by.workspaceId, by.codeHash, by.idempotencyHash ?? null],
  );
  return rows[0] && fromManagedRow(rows[0]);
}

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

/** Active purchases of each item; items without one are absent. */
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

export interface PurchaseFilter {
  readonly workspaceId: bigint;
  readonly codeHash?: Buffer | undefined;
  readonly buyerEmail?: string | undefined;
  /** The beginning of the name, in any letter case. */
  readonly buyerName?: string | undefined;
  readonly itemId?: bigint | undefined;
  readonly state?: PurchaseState | undefined;
}

/** Newest first, after the last id of the previous page. */
export async function selectPurchases(
  db: Queryable,
  filter: PurchaseFilter,
  page: { limit: number; beforeId: bigint | undefined },
): Promise<ManagedPurchase[]> {
  const values: unknown[] = [filter.workspaceId, page.limit];
  const conditions = ['workspace_id = $1'];
  // Only the given filters are in the statement, so that each combination can use its index.
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  where((at) => `id < ${at}`, page.beforeId);
  where((at) => `code_hash = ${at}`, filter.codeHash);
  where((at) => `lower(buyer_email) = ${at}`, filter.buyerEmail);
  where((at) => `lower(buyer_name) ^@ lower(${at})`, filter.buyerName);
  where((at) => `item_id = ${at}`, filter.itemId);
  where((at) => `state = ${at}`, filter.state);
  const { rows } = await db.query<ManagedRow>(
    `select * from purchases where ${conditions.join(' and ')} order by id desc limit $2`,
    values,
  );
  return rows.map(fromManagedRow);
}

/** Oldest first, for reading all purchases page by page. */
export async function selectPurchasesAfter(
  db: Queryable,
  from: { workspaceId: bigint; afterId: bigint; limit: number },
): Promise<ManagedPurchase[]> {
  const { rows } = await db.query<ManagedRow>(
    'select * from purchases where workspace_id = $1 and id > $2 order by id limit $3',
    [from.workspaceId, from.afterId, from.limit],
  );
  return rows.map(fromManagedRow);
}

export async function isRetired(
  db: Queryable,
  code: { workspaceId: bigint; codeHash: Buffer },
): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from retired_codes where workspace_id = $1 and code_hash = $2',
    [code.workspaceId, code.codeHash],
  );
  return rows.length > 0;
}

/** Whether the same request has already replaced a code of the purchase. */
export async function wasReissued(
  tx: Tx,
  key: PurchaseKey,
  idempotencyHash: Buffer,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from retired_codes
     where workspace_id = $1 and purchase_id = $2 and idempotency_hash = $3`,
    [key.workspaceId, key.purchaseId, idempotencyHash],
  );
  return rows.length > 0;
}

/** The codes that were replaced, as hex hashes. */
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

export async function getPurchase(db: Queryable, key: PurchaseKey): Promise<ManagedPurchase> {
  const purchase = await findPurchase(db, key);
  if (!purchase) throw fail('purchase_not_found', { msg: 'There is no such purchase' });
  return purchase;
}

export const listPurchases = (
  db: Queryable,
  filter: PurchaseFilter,
  page: Page,
): Promise<ManagedPurchase[]> =>
  selectPurchases(db, filter, { limit: page.limit, beforeId: page.after[0] });

export interface SalesDay {
  readonly day: Date;
  readonly currency: string;
  readonly count: bigint;
  readonly totalMinor: bigint;
}

/** Refunded and cancelled purchases are no sales; disputed ones still are. */
export async function selectSalesByDay(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date },
): Promise<SalesDay[]> {
  const { rows } = await db.query<{ day: Date; currency: string; count: bigint; total: bigint }>(
    `select date_trunc('day', purchased_at, 'UTC') as day, currency,
       count(*)::bigint as count, sum(price_minor)::bigint as total
     from purchases
     where workspace_id = $1 and purchased_at >= $2 and purchased_at < $3
       and state in ('active', 'disputed')
     group by 1, 2 order by 1, 2`,
    [period.workspaceId, period.from, period.to],
  );
  return rows.map(({ total, ...row }) => ({ ...row, totalMinor: total }));
}

/** In the order in which support ends. */
export async function selectSupportEnding(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date; limit: number },
): Promise<ManagedPurchase[]> {
  const { rows } = await db.query<ManagedRow>(
    `select * from purchases
     where workspace_id = $1 and supported_until >= $2 and supported_until < $3
       and state = 'active'
     order by supported_until, id limit $4`,
    [period.workspaceId, period.from, period.to, period.limit],
  );
  return rows.map(fromManagedRow);
}

export async function countSupportEnding(
  db: Queryable,
  period: { workspaceId: bigint; from: Date; to: Date },
): Promise<bigint> {
  const { rows } = await db.query<{ count: bigint }>(
    `select count(*)::bigint as count from purchases
     where workspace_id = $1 and supported_until >= $2 and supported_until < $3
       and state = 'active'`,
    [period.workspaceId, period.from, period.to],
  );
  return rows[0]?.count ?? 0n;
}
