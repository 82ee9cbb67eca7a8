// Blocks or unblocks a player: a block stops bets and launches, nothing else.
import type { Queryable } from '@counterfoil/kit/db';
import { fail } from '../errors.ts';
import type { PlayerStatus } from './player.ts';
import { saveStatus } from './store.ts';

export async function setStatus(
  db: Queryable,
  change: { packageId: number; playerId: string; status: PlayerStatus },
): Promise<void> {
  if (!(await saveStatus(db, change))) throw fail('player_not_found');
}
