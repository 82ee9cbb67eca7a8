// Writes and reads `purchases` by the batch, for imports.
import type { Queryable, Tx } from '@counterfoil/kit/db';
import type { ManagedPurchase } from './managed-purchase.ts';
import { fromManagedRow, type ManagedRow } from './managed-store.ts';
import type { ImportedPurchase } from './purchase-row.ts';

export interface SealedCode {
  readonly hash: Buffer;
  readonly sealed: Buffer;
  readonly hint: string;
}

export async function selectByCodeHashes(
  db: Queryable,
  wanted: { workspaceId: bigint; hashes: readonly string[]; lock: boolean },
): Promise<ManagedPurchase[]> {
  const { rows } = await db.query<ManagedRow>(
    `select * from purchases
     where workspace_id = $1 and code_hash in (select decode(h, 'hex') from unnest($2::text[]) as h)
     ${wanted.lock ? 'order by id for no key update' : ''}`,
    [wanted.workspaceId, wanted.hashes],
  );
  return rows.map(fromManagedRow);
}

const timeText = (time: Date | undefined) => time?.toISOString() ?? null;

/** One statement for the whole batch; says which codes it inserted. */
export async function insertPurchases(
  tx: Tx,
  batch: {
    workspaceId: bigint;
    at: Date;
    purchases: readonly ImportedPurchase[];
    codes: readonly SealedCode[];
  },
): Promise<Buffer[]> {
  const { purchases, codes } = batch;
  const result = await tx.query<{ code_hash: Buffer }>(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, supported_until, downloaded_at, purchased_at, buyer_name,
       buyer_email, created_at, updated_at)
     select $1, decode(hash, 'hex'), decode(sealed, 'hex'), hint, item_id, license_type, price,
       currency, state, supported_until, downloaded_at, purchased_at, buyer_name, buyer_email, $2, $2
     from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[],
       $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[],
       $14::text[], $15::text[])
       as t (hash, sealed, hint, item_id, license_type, price, currency, state, supported_until,
         downloaded_at, purchased_at, buyer_name, buyer_email)
     on conflict do nothing returning code_hash`,
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
  return result.rows.map((row) => row.code_hash);
}

/** Overwrites what the file names; a buyer that was erased stays erased. */
export async function overwritePurchase(
  tx: Tx,
  known: ManagedPurchase,
  imported: ImportedPurchase,
  at: Date,
): Promise<void> {
  const { row } = imported;
  const given = <T>(field: string, value: T, otherwise: T) => (row.has(field) ? value : otherwise);
  const isErased = known.buyerErasedAt !== undefined;
  await tx.query(
    `update purchases set item_id = $3, license_type = $4, price_minor = $5, currency = $6,
       state = $7, supported_until = $8, downloaded_at = coalesce(downloaded_at, $9),
       purchased_at = $10, buyer_name = $11, buyer_email = $12, updated_at = $13
     where workspace_id = $1 and id = $2`,
    [
      known.workspaceId,
      known.id,
      imported.itemId,
      given('license_type', row.licenseType, known.licenseType),
      imported.priceMinor,
      imported.currency,
      given('state', row.state, known.state),
      given('supported_until', row.supportedUntil, known.supportedUntil) ?? null,
      row.downloaded ? row.purchasedAt : null,
      row.purchasedAt,
      isErased ? null : (given('buyer_name', row.buyerName, known.buyerName) ?? null),
      isErased ? null : (given('buyer_email', row.buyerEmail, known.buyerEmail) ?? null),
      at,
    ],
  );
}
