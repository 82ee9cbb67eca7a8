// Replaces a leaked code of a purchase; the old code is never valid again.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { recordAudit } from '../../audit/record-audit.ts';
import { fail } from '../../errors.ts';
import { hashCode, makeCode, makeCodeHint, sealCode } from '../code.ts';
import type { PurchaseToChange } from './change-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { hashForRepetition } from './purchase-input.ts';
import { wasReissued } from './queries.ts';
import { lockPurchase, saveNewCode } from './store.ts';

/** A repeated request with the same Idempotency-Key changes nothing. */
export async function reissuePurchase(
  tx: Tx,
  masterKey: MasterKey,
  { caller, purchaseId, now }: PurchaseToChange,
  idempotencyKey: string | undefined,
): Promise<ManagedPurchase> {
  const key = { workspaceId: caller.workspaceId, purchaseId };
  const before = await lockPurchase(tx, key);
  if (!before) throw fail('purchase_not_found', { msg: 'There is no such purchase' });
  const idempotencyHash =
    idempotencyKey === undefined ? undefined : hashForRepetition(masterKey, idempotencyKey);
  if (idempotencyHash && (await wasReissued(tx, key, idempotencyHash))) return before;
  const { state } = before;
  // A refunded or cancelled purchase needs no code.
  if (state === 'refunded' || state === 'cancelled')
    throw fail('purchase_state_conflict', { data: { state } });
  const text = makeCode();
  const hash = hashCode(masterKey, text);
  const code = { hash, sealed: sealCode(masterKey, text, hash), hint: makeCodeHint(text) };
  await saveNewCode(tx, key, { before: before.codeHash, code, idempotencyHash, at: now });
  await recordAudit(tx, {
    workspaceId: caller.workspaceId,
    at: now,
    actor: caller.actor,
    action: 'purchase_reissued',
    subject: { kind: 'purchase', id: String(purchaseId) },
    details: { from: before.codeHint, to: code.hint },
  });
  return {
    ...before,
    codeHash: hash,
    codeSealed: code.sealed,
    codeHint: code.hint,
    updatedAt: now,
  };
}
