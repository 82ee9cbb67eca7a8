// Inserts rows into `purchases`.
import { wholeSecond } from '@counterfoil/kit/http/answers';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { StoredCode } from './code.ts';
import type { Purchase } from './purchase.ts';

/** A sale as its seller describes it. */
export type NewSale = Omit<Purchase, 'id' | 'codeHint' | 'state' | 'supportedUntil' | 'downloadedAt'> &
  Partial<Pick<Purchase, 'state' | 'supportedUntil' | 'downloadedAt'>> & {
    readonly buyerName?: string | undefined;
    readonly buyerEmail?: string | undefined;
  };

export interface PurchaseRecord {
  readonly code: StoredCode;
  /** Hashes of the Idempotency-Key and of the input. */
  readonly request: { readonly idempotencyHash: Buffer; readonly inputHash: Buffer } | undefined;
  readonly at: Date;
}

/** Returns the id, or undefined if the workspace already has the code or the Idempotency-Key. */
export async function insertPurchase(
  tx: Tx,
  sale: NewSale,
  { code, request, at }: PurchaseRecord,
): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into purchases (workspace_id, code_hash, code_sealed, code_hint, item_id, license_type,
       price_minor, currency, state, supported_until, downloaded_at, purchased_at, buyer_name,
       buyer_email, idempotency_hash, input_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
     on conflict do nothing returning id`,
    [
      sale.workspaceId,
      code.hash,
      code.sealed,
      code.hint,
      sale.itemId,
      sale.licenseType,
      sale.priceMinor,
      sale.currency,
      sale.state ?? 'active',
      sale.supportedUntil && wholeSecond(sale.supportedUntil),
      sale.downloadedAt,
      wholeSecond(sale.purchasedAt),
      sale.buyerName,
      sale.buyerEmail,
      request?.idempotencyHash,
      request?.inputHash,
      at,
    ],
  );
  return rows[0]?.id;
}
