// Sets the limits of seats and moves of licences, for one item or for the whole workspace.
import type { Tx } from '@counterfoil/kit/postgres/db';
import type { Caller } from '../audit/audit-event.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getOwnItem } from '../items/management/queries.ts';
import { lockWorkspace } from '../workspaces/change-workspace.ts';
import type { SetLimits } from './activation-limits.ts';
import { selectSetLimits } from './queries.ts';
import { saveSetLimits } from './store.ts';

/** A lower limit ends no activation. It applies only to activations that are made afterwards. */
export async function setActivationLimits(
  tx: Tx,
  wanted: { caller: Caller; itemId: bigint; limits: SetLimits; now: Date },
): Promise<void> {
  const { caller, itemId, limits, now } = wanted;
  const { workspaceId } = caller;
  const key = { workspaceId, itemId };
  await lockWorkspace(tx, workspaceId);
  if (itemId !== 0n) await getOwnItem(tx, key);
  const { item: before } = await selectSetLimits(tx, key);
  const changed = (['regular', 'extended', 'moves'] as const).filter((name) => before[name] !== limits[name]);
  if (changed.length === 0) return;
  await saveSetLimits(tx, { ...key, limits });
  const change = (name: keyof SetLimits) => [
    name,
    { from: before[name] ?? 'default', to: limits[name] ?? 'default' },
  ];
  const subject =
    itemId === 0n ? { kind: 'workspace', id: String(workspaceId) } : { kind: 'item', id: String(itemId) };
  const details = Object.fromEntries(changed.map(change));
  await recordAudit(tx, { ...caller, at: now, action: 'activation_limits_changed', subject, details });
}
