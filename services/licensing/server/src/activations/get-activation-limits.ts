// The limits that hold for an item: its own, else the workspace's, else ours.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { type ActivationLimits, type SetLimits, settleLimits } from './activation-limits.ts';
import { selectSetLimits } from './limits-store.ts';

/** Item 0 is the workspace as a whole. */
interface LimitsKey {
  readonly workspaceId: bigint;
  readonly itemId: bigint;
}

export async function getActivationLimits(
  db: Queryable,
  key: LimitsKey,
): Promise<ActivationLimits & { readonly set: SetLimits }> {
  const { item, workspace } = await selectSetLimits(db, key);
  return { ...settleLimits(item, workspace), set: item };
}
