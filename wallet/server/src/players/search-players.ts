// A package's players whose id or name has a text in it, in the order of their ids, page by page.
import type { Queryable } from '@counterfoil/kit/db';
import type { Player } from './player.ts';
import { type SearchedPage, selectIdAt, selectMatches } from './search-store.ts';

/** A page looks at this many players for a text inside an id or a name. Then it says where to go on. */
const maxLooked = 5000;

/** More players than this whose names begin alike are not told apart by a name. */
const maxNamed = 1000;

export interface FoundPlayers {
  readonly players: (Player & { balance: bigint })[];
  readonly next: string | undefined;
}

/**
 * The beginnings of ids and names are found by an index among all players. A text inside an id or a name is found
 * among the 5,000 players after the cursor, so a page may be short, or even empty, and still have another.
 */
export async function searchPlayers(db: Queryable, page: SearchedPage): Promise<FoundPlayers> {
  const { limit } = page;
  const bounds = { looked: maxLooked, named: maxNamed };
  const found = await selectMatches(db, { ...page, limit: limit + 1 }, bounds);
  const players = found.slice(0, limit);
  const last = players.at(-1)?.playerId;
  if (found.length > limit) return { players, next: last };
  const lookedTo = await selectIdAt(db, page, maxLooked);
  if (lookedTo === undefined) return { players, next: undefined };
  const isBehind =
    last !== undefined && Buffer.compare(Buffer.from(last), Buffer.from(lookedTo)) > 0;
  return { players, next: isBehind ? last : lookedTo };
}
