// Releases a seat, so that another host can use it.

import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../access-policy.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { fail } from '../errors.ts';
import { type Activation, hashTarget, type Target } from './activation.ts';
import { clearTargets, saveReleased, selectActivation, selectActivationAt } from './store.ts';

export interface Release {
  readonly caller: Caller;
  readonly now: Date;
  /** Whether it counts as a move of the purchase; a release by the seller does not. */
  readonly isMove: boolean;
  /** Called before a write; throws if the purchase changes too often. */
  readonly onChange: () => void;
}

/** By the purchase and the target or the activation's id. A released activation stays released. */
export async function releaseActivation(
  tx: Tx,
  masterKey: MasterKey,
  release: Release & { purchaseId: bigint; target: Target | bigint },
): Promise<Activation> {
  const { workspaceId } = release.caller;
  const { purchaseId, target } = release;
  const activation =
    typeof target === 'bigint'
      ? await selectActivation(tx, { workspaceId, activationId: target })
      : await selectActivationAt(tx, {
          workspaceId,
          purchaseId,
          targetHash: hashTarget(masterKey, { purchaseId, target }),
        });
  if (activation?.purchaseId !== purchaseId) throw fail('activation_not_found');
  return saveRelease(tx, release, activation);
}

/** Any activation of the workspace by its id: the seller need not know the code. */
export async function releaseOwnActivation(
  tx: Tx,
  release: Release & { activationId: bigint },
): Promise<Activation> {
  const { workspaceId } = release.caller;
  const { activationId } = release;
  const activation = await selectActivation(tx, { workspaceId, activationId });
  if (!activation) throw fail('activation_not_found');
  return saveRelease(tx, release, activation);
}

async function saveRelease(
  tx: Tx,
  { caller, now, isMove, onChange }: Release,
  activation: Activation,
): Promise<Activation> {
  const { workspaceId, actor } = caller;
  if (activation.releasedAt) return activation;
  onChange();
  const key = { workspaceId, activationId: activation.id };
  const counts = activation.counts && isMove;
  // Otherwise a concurrent request released it first.
  if (await saveReleased(tx, key, { at: now, counts })) {
    if (activation.counts)
      await recordAudit(tx, {
        workspaceId,
        at: now,
        actor,
        action: 'activation_released',
        subject: { kind: 'purchase', id: String(activation.purchaseId) },
        details: { activation_id: Number(activation.id), kind: activation.kind },
      });
  }
  return (await selectActivation(tx, key)) ?? activation;
}

/** Erases the names of the hosts on which purchases run; the activations stay. */
export const eraseTargets = clearTargets;
