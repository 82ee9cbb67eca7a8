// Gives a package a player with an account at zero.
import type { Tx } from '@counterfoil/kit/db';
import { openPlayerAccount } from '../ledger/open-ledger.ts';
import type { PlayerStatus } from './player.ts';
import { insertPlayerRow } from './store.ts';

export async function createPlayer(
  tx: Tx,
  player: { packageId: number; playerId: string; name?: string; status?: PlayerStatus },
): Promise<bigint> {
  const accountId = await openPlayerAccount(tx, player.packageId);
  await insertPlayerRow(tx, {
    packageId: player.packageId,
    accountId,
    playerId: player.playerId,
    name: player.name ?? '',
    status: player.status ?? 'active',
  });
  return accountId;
}
