// Replaces a leaked code of a purchase; the old code is never valid again.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../../errors.ts';
import { recordEvent } from '../../webhooks/events.ts';
import { makeCode, toStoredCode } from '../code.ts';
import { auditPurchase, makePurchaseEvent, type PurchaseToChange } from '../purchase-event.ts';
import { lockTarget } from './change-purchase.ts';
import type { ManagedPurchase } from './managed-purchase.ts';
import { hashForRepetition } from './purchase-input.ts';
import { wasReissued } from './queries.ts';
import { saveNewCode } from './store.ts';

/** Replaces the code. A repeated request with the same Idempotency-Key changes nothing. */
export async function reissuePurchase(
  tx: Tx,
  masterKey: MasterKey,
  target: PurchaseToChange,
  idempotencyKey: string | undefined,
): Promise<ManagedPurchase> {
  const before = await lockTarget(tx, target);
  const idempotencyHash =
    idempotencyKey === undefined ? undefined : hashForRepetition(masterKey, idempotencyKey);
  if (idempotencyHash && (await wasReissued(tx, before, idempotencyHash))) return before;
  const { state, codeHint: from } = before;
  // Replacing the code of a refunded or cancelled purchase would have no effect, because its codes are not
  // valid.
  if (state === 'refunded' || state === 'cancelled')
    throw fail('purchase_state_conflict', { data: { state } });
  const { hash: codeHash, sealed: codeSealed, hint } = toStoredCode(masterKey, makeCode());
  const after = { ...before, codeHash, codeSealed, codeHint: hint, updatedAt: target.now };
  await saveNewCode(tx, { before, after, idempotencyHash });
  // If a buyer replaces the code, the reason is always that the code leaked. Sellers and programs give no
  // reason.
  const reason = target.caller.actor.isBuyer && { reason: 'leaked' };
  await auditPurchase(tx, target, 'purchase_reissued', { from, to: hint, ...reason });
  await recordEvent(tx, before.workspaceId, makePurchaseEvent('purchase.reissued', after, target.now));
  return after;
}
