// Records a sale and gives it a purchase code.
import type { Tx } from '@counterfoil/kit/db';
import type { MasterKey } from '@counterfoil/kit/secrets';
import { hashCode, makeCode, makeCodeHint, sealCode } from './code.ts';
import type { LicenseType, PurchaseState } from './purchase.ts';
import { insertPurchaseRow } from './store.ts';

export interface NewPurchase {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
  readonly licenseType: LicenseType;
  readonly priceMinor: bigint;
  readonly currency: string;
  /** A code of the seller's own; a fresh one is made where none is given. */
  readonly code?: string;
  readonly state?: PurchaseState;
  readonly supportedUntil?: Date;
  readonly downloadedAt?: Date;
  readonly purchasedAt: Date;
  readonly buyerName?: string;
  readonly buyerEmail?: string;
}

export async function issuePurchase(
  tx: Tx,
  masterKey: MasterKey,
  sale: NewPurchase,
): Promise<{ id: bigint; code: string }> {
  const code = sale.code ?? makeCode();
  const codeHash = hashCode(masterKey, code);
  const id = await insertPurchaseRow(tx, {
    workspaceId: sale.workspaceId,
    codeHash,
    codeSealed: sealCode(masterKey, code, codeHash),
    codeHint: makeCodeHint(code),
    itemId: sale.itemId,
    licenseType: sale.licenseType,
    priceMinor: sale.priceMinor,
    currency: sale.currency,
    state: sale.state ?? 'active',
    supportedUntil: sale.supportedUntil,
    downloadedAt: sale.downloadedAt,
    purchasedAt: sale.purchasedAt,
    buyerName: sale.buyerName,
    buyerEmail: sale.buyerEmail,
  });
  return { id, code };
}
