// Reads and writes `purchases` in batches, for imports.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { queryRow, queryRows } from '@counterfoil/kit/postgres/rows';
import type { StoredCode } from '../code.ts';
import type { ManagedPurchase } from '../management/managed-purchase.ts';
import { keepUnsubscribed, type PurchaseTable } from '../management/store.ts';
import type { ImportedPurchase } from './purchase-row.ts';

/**
 * Creates an empty temporary table for a dry run, with the columns of `purchases`. Rows that the dry run
 * inserts get negative ids. So their ids differ from those of rows that are copied from `purchases`.
 */
export async function createTrialTable(tx: Tx): Promise<void> {
  await tx.query(
    `create temporary table trial_purchases (like purchases, unique (workspace_id, code_hash))
     on commit drop`,
  );
  await tx.query(`create temporary sequence trial_purchase_ids increment by -1 owned by trial_purchases.id`);
  await tx.query(`alter table trial_purchases alter id set default nextval('trial_purchase_ids')`);
}

/**
 * Copies the purchases with these codes to the temporary table of a dry run. If an earlier batch has already
 * copied a purchase, it is not copied again. The changes that the dry run made to it are thus kept.
 */
export async function copyToTrialTable(
  tx: Tx,
  wanted: { workspaceId: bigint; hashes: readonly string[] },
): Promise<void> {
  await tx.query(
    `insert into trial_purchases select * from purchases
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)
     on conflict do nothing`,
    [wanted.workspaceId, wanted.hashes],
  );
}

export const selectByCodeHashes = (
  tx: Tx,
  table: PurchaseTable,
  wanted: { workspaceId: bigint; hashes: readonly string[]; lock: boolean },
): Promise<ManagedPurchase[]> =>
  queryRows<ManagedPurchase>(
    tx,
    `select * from ${table}
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)
     ${wanted.lock ? 'order by id for no key update' : ''}`,
    [wanted.workspaceId, wanted.hashes],
  );

const timeText = (time: Date | undefined) => time?.toISOString() ?? null;

/** Inserts the batch in one statement, and returns the hashes of the inserted codes as hex text. */
export async function insertPurchases(
  tx: Tx,
  table: PurchaseTable,
  batch: {
    workspaceId: bigint;
    at: Date;
    purchases: readonly ImportedPurchase[];
    codes: readonly StoredCode[];
  },
): Promise<string[]> {
  const { purchases, codes } = batch;
  const { rows } = await tx.query<{ hash: string }>(
    `insert into ${table} (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, supported_until, downloaded_at, purchased_at, buyer_name,
       buyer_email, created_at, updated_at)
     select $1, decode(hash, 'hex'), decode(sealed, 'hex'), hint, item_id, license_type, price,
       currency, state, supported_until, downloaded_at, purchased_at, buyer_name, buyer_email, $2, $2
     from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[],
       $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
       $14::text[], $15::text[])
       as t (hash, sealed, hint, item_id, license_type, price, currency, state, supported_until,
         downloaded_at, purchased_at, buyer_name, buyer_email)
     on conflict do nothing returning encode(code_hash, 'hex') as hash`,
    [
      batch.workspaceId,
      batch.at,
      codes.map((code) => code.hash.toString('hex')),
      codes.map((code) => code.sealed.toString('hex')),
      codes.map((code) => code.hint),
      purchases.map((each) => each.itemId),
      purchases.map(({ row }) => row.licenseType),
      purchases.map((each) => each.priceMinor),
      purchases.map((each) => each.currency),
      purchases.map(({ row }) => row.state),
      purchases.map(({ row }) => timeText(row.supportedUntil)),
      purchases.map(({ row }) => (row.downloaded ? timeText(row.purchasedAt) : null)),
      purchases.map(({ row }) => timeText(row.purchasedAt)),
      purchases.map(({ row }) => row.buyerName ?? null),
      purchases.map(({ row }) => row.buyerEmail ?? null),
    ],
  );
  return rows.map((row) => row.hash);
}

/**
 * Overwrites a purchase with a row of the file. If the file lacks the column of an optional field, the field
 * stays unchanged. The currency is an exception: without a column, it becomes the currency of the item. A
 * recorded download is never removed, and an erased buyer stays erased.
 */
export async function overwritePurchase(
  tx: Tx,
  table: PurchaseTable,
  { known, imported, at }: { known: ManagedPurchase; imported: ImportedPurchase; at: Date },
): Promise<ManagedPurchase> {
  const { row } = imported;
  const given = <T>(field: string, value: T, otherwise: T) => (row.has(field) ? value : otherwise);
  const isErased = known.buyerErasedAt !== undefined;
  const updated = await queryRow<ManagedPurchase>(
    tx,
    `update ${table} set item_id = $3, license_type = $4, price_minor = $5, currency = $6,
       state = $7, supported_until = $8, downloaded_at = coalesce(downloaded_at, $9),
       purchased_at = $10, buyer_name = $11, buyer_email = $12, updated_at = $13,
       ${keepUnsubscribed('$12')}
     where workspace_id = $1 and id = $2 returning *`,
    [
      known.workspaceId,
      known.id,
      imported.itemId,
      given('license_type', row.licenseType, known.licenseType),
      imported.priceMinor,
      imported.currency,
      given('state', row.state, known.state),
      given('supported_until', row.supportedUntil, known.supportedUntil),
      row.downloaded ? row.purchasedAt : null,
      row.purchasedAt,
      isErased ? null : given('buyer_name', row.buyerName, known.buyerName),
      isErased ? null : given('buyer_email', row.buyerEmail, known.buyerEmail),
      at,
    ],
  );
  if (!updated) throw new Error('a locked purchase was not found');
  return updated;
}
