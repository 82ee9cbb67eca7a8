// Writes `purchases` and `retired_codes`.

import type { Tx } from '@counterfoil/kit/postgres/db';
import type { PurchaseState } from '../purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { fromManagedRow, type ManagedRow, type PurchaseKey, selectRetired } from './queries.ts';

/** Locked until the transaction ends, so that concurrent changes of one purchase are serialised. */
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

/** Marks active purchases whose support ends in this period, and returns those not marked before. */
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

/** True for the first download; later ones change nothing. */
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

/** Returns the ids of the purchases that had data of the buyer. */
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

export interface SealedCode {
  readonly hash: Buffer;
  readonly sealed: Buffer;
  readonly hint: string;
}

/** A dry run writes to a temporary table. */
export type PurchaseTable = 'purchases' | 'trial_purchases';

export async function saveNewCode(
  tx: Tx,
  key: PurchaseKey,
  change: {
    before: Buffer;
    code: SealedCode;
    idempotencyHash: Buffer | undefined;
    at: Date;
  },
): Promise<void> {
  const { code, at } = change;
  await tx.query(
    `insert into retired_codes (workspace_id, code_hash, purchase_id, retired_at, idempotency_hash)
     values ($1, $2, $3, $4, $5)`,
    [key.workspaceId, change.before, key.purchaseId, at, change.idempotencyHash ?? null],
  );
  await tx.query(
    `update purchases set code_hash = $3, code_sealed = $4, code_hint = $5, updated_at = $6
     where workspace_id = $1 and id = $2`,
    [key.workspaceId, key.purchaseId, code.hash, code.sealed, code.hint, at],
  );
}

/** Deletes the inserted purchases whose code was replaced, and returns their hashes. */
export async function deleteRetired(
  tx: Tx,
  table: PurchaseTable,
  { workspaceId, inserted }: { workspaceId: bigint; inserted: readonly Buffer[] },
): Promise<string[]> {
  const hashes = inserted.map((hash) => hash.toString('hex'));
  const retired = await selectRetired(tx, { workspaceId, hashes });
  if (retired.length === 0) return [];
  await tx.query(
    `delete from ${table}
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)`,
    [workspaceId, retired],
  );
  return retired;
}
