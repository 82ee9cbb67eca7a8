// Searches `players` with bounded work, whatever the text is.
import type { Queryable } from '@counterfoil/kit/db';
import type { Player } from './player.ts';
import { afterPrefix, fromRow, type PlayerRow, playerFields } from './store.ts';

export interface SearchedPage {
  readonly packageId: number;
  /** Taken as it is: no character of it is a pattern. */
  readonly search: string;
  /** The id that the page before ended with, or empty. */
  readonly after: string;
  readonly limit: number;
}

/** No text sorts after it, byte by byte. */
const lastCharacter = '\u{10ffff}';

const byIdPrefix = `select account_id from players
  where package_id = $1 and player_id collate "C" > $2
    and starts_with(player_id, $3) and player_id collate "C" >= $3
    and ($5 = '' or player_id collate "C" < $5)
  order by player_id collate "C" limit $4`;

const byNamePrefix = `select account_id from (
    select account_id, player_id from players
    where package_id = $1 and name <> '' and lower(name) collate "C" >= lower($3)
      and lower(name) collate "C" < lower($6)
    order by lower(name) collate "C", player_id collate "C" limit $7) as named
  where player_id collate "C" > $2`;

const byPart = `select account_id from (
    select account_id, player_id, name from players
    where package_id = $1 and player_id collate "C" > $2
    order by player_id collate "C" limit $8) as looked
  where strpos(lower(player_id), lower($3)) > 0 or strpos(lower(name), lower($3)) > 0
  order by player_id collate "C" limit $4`;

export async function selectMatches(
  db: Queryable,
  page: SearchedPage,
  bounds: { looked: number; named: number },
): Promise<(Player & { balance: bigint })[]> {
  const { packageId, search, after, limit } = page;
  const { rows } = await db.query<PlayerRow>({
    name: 'search_players',
    text: `select ${playerFields}
           from ((${byIdPrefix}) union (${byNamePrefix}) union (${byPart})) as found
           join players p on p.package_id = $1 and p.account_id = found.account_id
           join accounts a on a.package_id = $1 and a.id = p.account_id
           order by p.player_id collate "C" limit $4`,
    values: [
      ...[packageId, after, search, limit],
      ...[afterPrefix(search), search + lastCharacter, bounds.named, bounds.looked],
    ],
  });
  return rows.map(fromRow);
}

/** The id of the player at this position after the cursor; undefined if there are fewer. */
export async function selectIdAt(
  db: Queryable,
  { packageId, after }: SearchedPage,
  position: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ player_id: string }>({
    name: 'select_player_at',
    text: `select player_id from players
           where package_id = $1 and player_id collate "C" > $2
           order by player_id collate "C" offset $3 limit 1`,
    values: [packageId, after, position - 1],
  });
  return rows[0]?.player_id;
}
