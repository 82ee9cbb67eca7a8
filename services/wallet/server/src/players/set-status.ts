// Blocks and unblocks players. A block stops bets and launches, and nothing else.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { fail } from '../errors.ts';
import { announcePlayerChange } from './find-account.ts';
import { playerKey, type StatusFinder } from './find-status.ts';
import type { PlayerStatus } from './player.ts';
import { saveStatus } from './store.ts';

/** The longest time for which a change waits for earlier changes of the same package. */
const defaultMaxWaitMs = deadlineMs(1500);

export interface SetStatusDeps {
  readonly db: Db;
  readonly statuses: StatusFinder;
  readonly maxWaitMs?: number;
}

/** Blocks or unblocks a player. If a person makes the change, `recordEvent` writes the audit event. */
export const setStatus = (
  deps: SetStatusDeps,
  change: { packageId: number; playerId: string; status: PlayerStatus },
  recordEvent: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> =>
  changePlayer(deps, change, async (tx) => {
    if (!(await saveStatus(tx, change))) throw fail('player_not_found');
    await recordEvent(tx);
  });

/**
 * Changes a player and notifies other processes. This process invalidates its own cache before it answers.
 */
export async function changePlayer(
  deps: SetStatusDeps,
  { packageId, playerId }: { packageId: number; playerId: string },
  write: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { maxWaitMs = defaultMaxWaitMs } = deps;
  const save = async (tx: Tx) => {
    await write(tx);
    await announcePlayerChange(tx, packageId, playerId);
  };
  const since = performance.now();
  await deps.statuses.enqueue(packageId, () => {
    // The deadline of the request is near. The change is refused, because it must not be applied after the
    // deadline.
    if (performance.now() - since > maxWaitMs) throw fail('overloaded');
    return deps.db.transaction(save);
  });
  deps.statuses.invalidate(playerKey(packageId, playerId));
}
