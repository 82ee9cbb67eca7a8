// Creates, blocks and limits players for people and operators, with an event in the audit log.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import { refuseByState } from '../packages/callers/authenticate.ts';
import { type PackageTarget, recordPackageEvent } from '../packages/lock-package.ts';
import { parseMaxStake, presentMaxStake } from '../packages/package-settings.ts';
import { getManagedPackage } from '../packages/queries.ts';
import { createPlayer } from './create-player.ts';
import type { PlayerStatus } from './player.ts';
import { changePlayer, type SetStatusDeps, setStatus } from './set-status.ts';
import { saveMaxStake } from './store.ts';

export const recordPlayerEvent = (
  tx: Tx,
  target: PackageTarget,
  action: string,
  playerId: string,
  details?: Record<string, unknown>,
): Promise<void> =>
  recordPackageEvent(tx, target, {
    action,
    subject: { kind: 'player', id: playerId },
    ...(details && { details }),
  });

export const createManagedPlayer = (
  db: Db,
  target: PackageTarget,
  wanted: { playerId: string; name: string },
): ReturnType<typeof createPlayer> =>
  createPlayer(db, { packageId: target.packageId, ...wanted }, target.at, (tx) =>
    recordPlayerEvent(tx, target, 'player_created', wanted.playerId),
  );

export function setManagedStatus(
  deps: SetStatusDeps,
  target: PackageTarget,
  { playerId, status }: { playerId: string; status: PlayerStatus },
): Promise<void> {
  const { packageId } = target;
  const action = status === 'blocked' ? 'player_blocked' : 'player_unblocked';
  return setStatus(deps, { packageId, playerId, status }, (tx) =>
    recordPlayerEvent(tx, target, action, playerId),
  );
}

/**
 * Sets the maximum stake of a player. `sent` is an amount, or null to remove the limit. The change is refused
 * for a pending package, because the decimals of the package may still change.
 */
export async function setMaxStake(
  deps: SetStatusDeps,
  target: PackageTarget,
  { playerId, sent }: { playerId: string; sent: unknown },
): Promise<void> {
  const { packageId } = target;
  const owner = await getManagedPackage(deps.db, packageId);
  refuseByState(owner, { whenSuspended: 'served' });
  const maxStake = parseMaxStake(sent, owner);
  await changePlayer(deps, { packageId, playerId }, async (tx) => {
    const saved = await saveMaxStake(tx, { packageId, playerId, maxStake });
    if (!saved) throw fail('player_not_found');
    const from = presentMaxStake(saved.before, owner);
    const to = presentMaxStake(maxStake, owner);
    if (from === to) return;
    await recordPlayerEvent(tx, target, 'player_max_stake_changed', playerId, { max_stake: { from, to } });
  });
}
