// Rows of `purchases`.

import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { LicenseType, Purchase, PurchaseState } from './purchase.ts';

export interface PurchaseRow {
  workspace_id: bigint;
  id: bigint;
  code_hash: Buffer;
  code_sealed: Buffer;
  code_hint: string;
  item_id: bigint;
  license_type: LicenseType;
  price_minor: bigint;
  currency: string;
  state: PurchaseState;
  supported_until: Date | null;
  downloaded_at: Date | null;
  purchased_at: Date;
  buyer_name: string | null;
  buyer_email: string | null;
}

export function fromPurchaseRow(row: PurchaseRow): Purchase {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    codeHint: row.code_hint,
    itemId: row.item_id,
    licenseType: row.license_type,
    priceMinor: row.price_minor,
    currency: row.currency,
    state: row.state,
    supportedUntil: row.supported_until ?? undefined,
    downloadedAt: row.downloaded_at ?? undefined,
    purchasedAt: row.purchased_at,
  };
}

export type NewPurchaseRow = Omit<Purchase, 'id'> & {
  readonly codeHash: Buffer;
  readonly codeSealed: Buffer;
  readonly buyerName: string | undefined;
  readonly buyerEmail: string | undefined;
  /** Hashes of the Idempotency-Key and of the input. */
  readonly request?: { readonly idempotencyHash: Buffer; readonly inputHash: Buffer } | undefined;
  readonly createdAt?: Date;
};

/** Undefined if the workspace already has the code or the Idempotency-Key. */
export async function insertPurchaseRow(tx: Tx, row: NewPurchaseRow): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, supported_until, downloaded_at, purchased_at, buyer_name,
       buyer_email, idempotency_hash, input_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
       coalesce($17, now()), coalesce($17, now()))
     on conflict do nothing returning id`,
    [
      row.workspaceId,
      row.codeHash,
      row.codeSealed,
      row.codeHint,
      row.itemId,
      row.licenseType,
      row.priceMinor,
      row.currency,
      row.state,
      row.supportedUntil ? wholeSecond(row.supportedUntil) : null,
      row.downloadedAt ?? null,
      wholeSecond(row.purchasedAt),
      row.buyerName ?? null,
      row.buyerEmail ?? null,
      row.request?.idempotencyHash ?? null,
      row.request?.inputHash ?? null,
      row.createdAt ?? null,
    ],
  );
  return rows[0]?.id;
}
