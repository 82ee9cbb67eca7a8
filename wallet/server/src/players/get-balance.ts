// A player's balance, read from the ledger's own row: it always shows the caller's last write.
import type { Queryable } from '@counterfoil/kit/db';
import { fail } from '../errors.ts';
import type { PlayerBalance } from './player.ts';
import { selectPlayerBalance } from './store.ts';

export async function getBalance(
  db: Queryable,
  packageId: number,
  playerId: string,
): Promise<{ player: PlayerBalance; credit: bigint }> {
  const found = await selectPlayerBalance(db, packageId, playerId);
  if (!found) throw fail('player_not_found');
  return found;
}
