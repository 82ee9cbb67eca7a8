// A package's players in the order of their ids, page by page.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import type { Player } from './player.ts';
import { selectPlayers } from './store.ts';

export async function listPlayers(
  db: Queryable,
  wanted: { packageId: number; search: string; after: string; limit: number },
): Promise<{ players: (Player & { balance: bigint })[]; next: string | undefined }> {
  const { packageId, search: prefix, after, limit } = wanted;
  const found = await selectPlayers(db, { packageId, prefix, after, limit: limit + 1 });
  const players = found.slice(0, limit);
  return { players, next: found.length > limit ? players.at(-1)?.playerId : undefined };
}
