// Notes the buyer's first completed download; a later one changes nothing.
import type { Db } from '@counterfoil/kit/postgres/db';
import { recordAudit } from '../../audit/record-audit.ts';
import { type PurchaseKey, saveDownloaded } from './managed-store.ts';

export async function markDownloaded(db: Db, key: PurchaseKey, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await saveDownloaded(tx, key, at))) return;
    await recordAudit(tx, {
      workspaceId: key.workspaceId,
      at,
      // The buyer is nobody that we know; where they sit is their own affair.
      actor: {},
      action: 'purchase_downloaded',
      subject: { kind: 'purchase', id: String(key.purchaseId) },
      details: { by: 'buyer' },
    });
  });
}
