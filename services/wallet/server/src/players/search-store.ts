// Searches `players` with bounded work per statement.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { fromRow } from '@counterfoil/kit/postgres/rows';
import type { ListedPlayer } from './player.ts';
import { afterPrefix, playerFields } from './queries.ts';

/**
 * The phases of a search: first ids that begin with the text, then names that begin with it, then all other
 * matches.
 */
export const phases = ['id', 'name', 'part'] as const;
export type SearchPhase = (typeof phases)[number];

/**
 * The last player that was read. The search continues after this player. Name and id are empty at the
 * beginning of a phase.
 */
export interface SearchPosition {
  readonly phase: SearchPhase;
  /** The name of the player in lower case. */
  readonly name: string;
  readonly id: string;
}

export interface SearchedPage {
  readonly packageId: number;
  /** The text to search for. It has no wildcards. */
  readonly search: string;
  readonly limit: number;
}

/** The maximum number of players that one statement reads from an index. */
const maxScanned = 5000;

/** The last character in byte order. It is used as the upper bound of a range. */
const lastCharacter = '\u{10ffff}';

/** `window` selects players in the order of an index; `wanted` selects the matches among them. */
interface Phase {
  readonly window: string;
  readonly order: string;
  readonly wanted: string;
  /** The parameters from $3 on: first those of `window`, then those of `wanted`. */
  values(search: string, after: SearchPosition): { window: string[]; wanted: string[] };
}

const byPhase: Record<SearchPhase, Phase> = {
  id: {
    window: `player_id collate "C" > $3 and player_id collate "C" >= $4 and starts_with(player_id, $4)
      and ($5 = '' or player_id collate "C" < $5)`,
    order: 'player_id collate "C"',
    wanted: 'true',
    values: (search, { id }) => ({ window: [id, search, afterPrefix(search)], wanted: [] }),
  },
  name: {
    window: `name <> '' and lower(name) collate "C" >= lower($3) and lower(name) collate "C" < lower($4)
      and (lower(name) collate "C", player_id collate "C") > ($5, $6)`,
    order: 'lower(name) collate "C", player_id collate "C"',
    wanted: 'not starts_with(player_id, $3)',
    values: (search, { name, id }) => ({ window: [search, search + lastCharacter, name, id], wanted: [] }),
  },
  part: {
    window: 'player_id collate "C" > $3',
    order: 'player_id collate "C"',
    wanted: `(strpos(lower(player_id), lower($4)) > 0 or strpos(lower(name), lower($4)) > 0)
      and not starts_with(player_id, $4) and not (name <> ''
        and lower(name) collate "C" >= lower($4) and lower(name) collate "C" < lower($5))`,
    values: (search, { id }) => ({ window: [id], wanted: [search, search + lastCharacter] }),
  },
};

/**
 * Reads the next 5,000 players in the order of the phase's index. Returns those that match, at most `limit`.
 */
export async function selectMatches(
  db: Queryable,
  { packageId, search, limit }: SearchedPage,
  after: SearchPosition,
): Promise<{ player: ListedPlayer; position: SearchPosition }[]> {
  const { phase } = after;
  const { window, order, wanted, values } = byPhase[phase];
  const given = values(search, after);
  const { rows } = await db.query<{ player_id: string; lower_name: string }>({
    name: `search_players_${phase}`,
    text: `select ${playerFields}, lower(p.name) as lower_name
           from (select * from players where package_id = $1 and ${window}
                 order by ${order} limit ${maxScanned}) as p
           join accounts a on a.package_id = $1 and a.id = p.account_id
           where ${wanted} order by ${order} limit $2`,
    values: [packageId, limit, ...given.window, ...given.wanted],
  });
  return rows.map((row) => ({
    player: fromRow<ListedPlayer>(row),
    position: { phase, name: row.lower_name, id: row.player_id },
  }));
}

/** The last of the 5,000 players that `selectMatches` reads; undefined if there are fewer. */
export async function selectWindowEnd(
  db: Queryable,
  { packageId, search }: SearchedPage,
  after: SearchPosition,
): Promise<SearchPosition | undefined> {
  const { phase } = after;
  const { window, order, values } = byPhase[phase];
  const { rows } = await db.query<{ player_id: string; lower_name: string }>({
    name: `search_players_${phase}_end`,
    text: `select player_id, lower(name) as lower_name from players
           where package_id = $1 and ${window} order by ${order} offset $2 limit 1`,
    values: [packageId, maxScanned - 1, ...values(search, after).window],
  });
  const [end] = rows;
  return end && { phase, name: end.lower_name, id: end.player_id };
}
