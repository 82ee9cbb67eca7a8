// Blocks or unblocks a player: a block stops bets and launches, nothing else.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { deadlineMs } from '@counterfoil/kit/process/deadline-factor';
import { fail } from '../errors.ts';
import { announcePlayerChange } from './find-account.ts';
import { playerKey, type StatusFinder } from './find-status.ts';
import type { PlayerStatus } from './player.ts';
import { saveStatus } from './store.ts';

/** How long a change waits for those before it, unless told otherwise. */
const usualWaitMs = deadlineMs(1500);

/**
 * Other processes hear of it in a moment; this one must know before it answers. `note` writes the
 * line of the audit log, where a person did it.
 */
export async function setStatus(
  deps: { db: Db; statuses: StatusFinder; maxWaitMs?: number },
  change: { packageId: number; playerId: string; status: PlayerStatus },
  note: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { packageId, playerId } = change;
  const { maxWaitMs = usualWaitMs } = deps;
  const save = async (tx: Tx) => {
    if (!(await saveStatus(tx, change))) throw fail('player_not_found');
    await note(tx);
    await announcePlayerChange(tx, packageId, playerId);
  };
  const since = performance.now();
  await deps.statuses.inTurn(packageId, () => {
    // Whoever asked is answered soon after that, and must not have it done behind their back.
    if (performance.now() - since > maxWaitMs) throw fail('overloaded');
    return deps.db.transaction(save);
  });
  deps.statuses.forget(playerKey(packageId, playerId));
}
