// Blocks or unblocks a player. A block stops bets and launches, and nothing else.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { fail } from '../errors.ts';
import { announcePlayerChange } from './find-account.ts';
import { playerKey, type StatusFinder } from './find-status.ts';
import type { PlayerStatus } from './player.ts';
import { saveStatus } from './store.ts';

/** The longest time that a change waits for earlier changes. */
const defaultMaxWaitMs = deadlineMs(1500);

export interface SetStatusDeps {
  readonly db: Db;
  readonly statuses: StatusFinder;
  readonly maxWaitMs?: number;
}

/**
 * Other processes are notified. This process invalidates its cache before it answers. `recordEvent`
 * writes the audit event of a change by a person.
 */
export async function setStatus(
  deps: SetStatusDeps,
  change: { packageId: number; playerId: string; status: PlayerStatus },
  recordEvent: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { packageId, playerId } = change;
  const { maxWaitMs = defaultMaxWaitMs } = deps;
  const save = async (tx: Tx) => {
    if (!(await saveStatus(tx, change))) throw fail('player_not_found');
    await recordEvent(tx);
    await announcePlayerChange(tx, packageId, playerId);
  };
  const since = performance.now();
  await deps.statuses.enqueue(packageId, () => {
    // The request's deadline is near, and the change must not be applied after it.
    if (performance.now() - since > maxWaitMs) throw fail('overloaded');
    return deps.db.transaction(save);
  });
  deps.statuses.invalidate(playerKey(packageId, playerId));
}
