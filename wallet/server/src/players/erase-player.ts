// Erases what is personal about a player; the money and its proof stay.
import type { Db } from '@counterfoil/kit/db';
import { fail } from '../errors.ts';
import { eraseNotes } from '../ledger/erase-notes.ts';
import { announcePlayerChange } from './find-account.ts';
import { overwritePlayer, selectPlayer } from './store.ts';

export async function erasePlayer(
  db: Db,
  wanted: { packageId: number; playerId: string },
): Promise<void> {
  const { packageId, playerId } = wanted;
  const player = await selectPlayer(db, packageId, playerId);
  if (!player) throw fail('player_not_found');
  await db.transaction(async (tx) => {
    await overwritePlayer(tx, { packageId, accountId: player.accountId });
    await eraseNotes(tx, { packageId, account: player.accountId });
    await announcePlayerChange(tx, packageId, playerId);
  });
}
