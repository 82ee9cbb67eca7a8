// Releases a seat, so that another host can use it.
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { fail } from '../errors.ts';
import { auditPurchase } from '../purchases/purchase-event.ts';
import { recordEvent } from '../webhooks/events.ts';
import { type Activation, hashTarget, type Target } from './activation.ts';
import { makeActivationEvent } from './activation-event.ts';
import { findActivation, findActivationAt } from './queries.ts';
import { clearTargets, saveReleased } from './store.ts';

export interface Release {
  readonly caller: Caller;
  readonly now: Date;
  /** Whether the release counts as a move of the purchase. A release by the seller does not count. */
  readonly isMove: boolean;
  /** A function that is called before a write. It throws an error if the purchase changes too often. */
  readonly onChange?: () => void;
}

/**
 * Releases an activation of a purchase. `target` is the host or machine, or the id of the activation.
 * Releasing a released activation changes nothing.
 */
export async function releaseActivation(
  tx: Tx,
  masterKey: MasterKey,
  release: Release & { purchaseId: bigint; target: Target | bigint },
): Promise<Activation> {
  const { workspaceId } = release.caller;
  const { purchaseId, target } = release;
  const activation =
    typeof target === 'bigint'
      ? await findActivation(tx, { workspaceId, activationId: target })
      : await findActivationAt(tx, {
          workspaceId,
          purchaseId,
          targetHash: hashTarget(masterKey, { purchaseId, target }),
        });
  if (activation?.purchaseId !== purchaseId) throw fail('activation_not_found');
  return saveRelease(tx, release, activation);
}

/** Releases any activation of the workspace by its id. The seller need not know the purchase code. */
export async function releaseOwnActivation(
  tx: Tx,
  release: Release & { activationId: bigint },
): Promise<Activation> {
  const { workspaceId } = release.caller;
  const { activationId } = release;
  const activation = await findActivation(tx, { workspaceId, activationId });
  if (!activation) throw fail('activation_not_found');
  return saveRelease(tx, release, activation);
}

async function saveRelease(
  tx: Tx,
  { caller, now, isMove, onChange }: Release,
  activation: Activation,
): Promise<Activation> {
  if (activation.releasedAt) return activation;
  onChange?.();
  const { id, purchaseId, kind, counts } = activation;
  const key = { workspaceId: caller.workspaceId, activationId: id };
  // False if a concurrent request released the activation first.
  const isReleased = await saveReleased(tx, key, { at: now, counts: counts && isMove });
  const after = (await findActivation(tx, key)) ?? activation;
  if (isReleased && counts) {
    const details = { activation_id: Number(id), kind };
    await auditPurchase(tx, { caller, purchaseId, now }, 'activation_released', details);
    await recordEvent(tx, caller.workspaceId, makeActivationEvent('activation.released', after, now));
  }
  return after;
}

/** Erases the names of the hosts on which purchases run; the activations stay. */
export const eraseTargets = clearTargets;
