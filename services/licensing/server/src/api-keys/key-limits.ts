// How many keys a workspace may have at once.
import type { Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { lockWorkspace } from '../workspaces/lock-workspace.ts';
import { countLiveKeys } from './store.ts';

/** Keys that work and were not replaced. */
const maxLive = 100;
/** With those that still work in the overlap of a rotation. */
const maxLiveAndReplaced = 200;

/** Keeps the workspace locked until the transaction ends: two callers cannot both be the last. */
export async function lockRoomForKey(
  tx: Tx,
  input: { workspaceId: bigint; at: Date; isRotation?: boolean },
): Promise<void> {
  await lockWorkspace(tx, input.workspaceId);
  const { live, replaced } = await countLiveKeys(tx, input.workspaceId, input.at);
  const isFull = live >= maxLiveAndReplaced || (!input.isRotation && live - replaced >= maxLive);
  if (isFull) throw fail('too_many_api_keys');
}
