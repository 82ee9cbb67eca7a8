// Creates, blocks and unblocks players for people and operators, with an event in the audit log.
import type { Db, Tx } from '@counterfoil/kit/postgres/db';
import { type PackageTarget, recordPackageEvent } from '../packages/lock-package.ts';
import { createPlayer } from './create-player.ts';
import type { PlayerStatus } from './player.ts';
import { type SetStatusDeps, setStatus } from './set-status.ts';

export const recordPlayerEvent = (
  tx: Tx,
  target: PackageTarget,
  action: string,
  playerId: string,
): Promise<void> => recordPackageEvent(tx, target, { action, subject: { kind: 'player', id: playerId } });

export async function createManagedPlayer(
  db: Db,
  target: PackageTarget,
  wanted: { playerId: string; name: string },
) {
  const made = await createPlayer(db, { packageId: target.packageId, ...wanted }, target.at);
  if (made.created) {
    await db.transaction((tx) => recordPlayerEvent(tx, target, 'player_created', wanted.playerId));
  }
  return made;
}

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
