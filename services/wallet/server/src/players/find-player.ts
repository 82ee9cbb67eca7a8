// A player by the caller's own id.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Player } from './player.ts';
import { selectPlayer } from './store.ts';

export const findPlayer = (
  db: Queryable,
  key: { packageId: number; playerId: string },
): Promise<(Player & { balance: bigint }) | undefined> =>
  selectPlayer(db, key.packageId, key.playerId);
