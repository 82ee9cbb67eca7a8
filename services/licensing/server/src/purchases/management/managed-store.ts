// Rows of `purchases` with all that management needs: found, listed, locked, changed.
import type { Queryable, Tx } from '@counterfoil/kit/postgres/db';
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

export async function selectPurchase(
  db: Queryable,
  key: PurchaseKey,
): Promise<ManagedPurchase | undefined> {
  const { rows } = await db.query<ManagedRow>(
    'select * from purchases where workspace_id = $1 and id = $2',
    [key.workspaceId, key.purchaseId],
  );
  return rows[0] && fromManagedRow(rows[0]);
}

/** By what a repeated sale would bring along; the Idempotency-Key comes first. */
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

export async function selectPurchaseId(
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
export async function selectCodeCounts(
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

/** Held until the transaction ends: of two changes of one purchase the second sees the first. */
export async function lockPurchase(tx: Tx, key: PurchaseKey): Promise<ManagedPurchase | undefined> {
  const { rows } = await tx.query<ManagedRow>(
    'select * from purchases where workspace_id = $1 and id = $2 for no key update',
    [key.workspaceId, key.purchaseId],
  );
  return rows[0] && fromManagedRow(rows[0]);
}

export async function saveState(
  tx: Tx,
  key: PurchaseKey,
  change: { state: PurchaseState; supportedUntil: Date | undefined; at: Date },
): Promise<void> {
  await tx.query(
    `update purchases set state = $3, supported_until = $4, updated_at = $5
     where workspace_id = $1 and id = $2`,
    [key.workspaceId, key.purchaseId, change.state, change.supportedUntil ?? null, change.at],
  );
}

/** Active purchases whose support ends in that time and whose end was not marked yet. */
export async function markSupportEndings(
  tx: Tx,
  wanted: { workspaceId: bigint; from: Date; until: Date; limit: number },
): Promise<ManagedPurchase[]> {
  const { rows } = await tx.query<ManagedRow>(
    `update purchases set support_noticed = supported_until
     where workspace_id = $1 and id in (select id from purchases
       where workspace_id = $1 and state = 'active' and supported_until > $2
         and supported_until <= $3 and support_noticed is distinct from supported_until
       order by supported_until limit $4 for no key update skip locked)
     returning *`,
    [wanted.workspaceId, wanted.from, wanted.until, wanted.limit],
  );
  return rows.map(fromManagedRow);
}

/** Whether it was the first: a later download changes nothing. */
export async function saveDownloaded(tx: Tx, key: PurchaseKey, at: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update purchases set downloaded_at = $3, updated_at = $3
     where workspace_id = $1 and id = $2 and downloaded_at is null`,
    [key.workspaceId, key.purchaseId, at],
  );
  return rowCount === 1;
}

export async function saveBuyer(
  tx: Tx,
  key: PurchaseKey,
  buyer: { buyerName: string | undefined; buyerEmail: string | undefined; at: Date },
): Promise<void> {
  await tx.query(
    `update purchases set buyer_name = $3, buyer_email = $4, updated_at = $5
     where workspace_id = $1 and id = $2`,
    [key.workspaceId, key.purchaseId, buyer.buyerName ?? null, buyer.buyerEmail ?? null, buyer.at],
  );
}

/** Gives the purchases that held the buyer. */
export async function saveBuyerErased(
  tx: Tx,
  buyer: { workspaceId: bigint; by: { email: string } | { purchaseId: bigint }; at: Date },
): Promise<bigint[]> {
  const { by } = buyer;
  const { rows } = await tx.query<{ id: bigint }>(
    `update purchases
     set buyer_name = null, buyer_email = null, buyer_erased_at = $3, updated_at = $3
     where workspace_id = $1 and ${'email' in by ? 'lower(buyer_email) = $2' : 'id = $2'}
       and (buyer_name is not null or buyer_email is not null)
     returning id`,
    [buyer.workspaceId, 'email' in by ? by.email : by.purchaseId, buyer.at],
  );
  return rows.map((row) => row.id);
}

export interface PurchaseFilter {
  readonly workspaceId: bigint;
  readonly codeHash?: Buffer | undefined;
  readonly buyerEmail?: string | undefined;
  /** How the name begins; letter case does not count. */
  readonly buyerName?: string | undefined;
  readonly itemId?: bigint | undefined;
  readonly state?: PurchaseState | undefined;
}

/** Newest first, behind the id of the page before. */
export async function selectPurchases(
  db: Queryable,
  filter: PurchaseFilter,
  page: { limit: number; beforeId: bigint | undefined },
): Promise<ManagedPurchase[]> {
  const values: unknown[] = [filter.workspaceId, page.limit];
  const conditions = ['workspace_id = $1'];
  // Only what is asked for stands in the text, so that each combination gets the index it needs.
  const where = (condition: (place: string) => string, value: unknown) => {
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

/** Oldest first, for whoever reads all of them page by page. */
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
