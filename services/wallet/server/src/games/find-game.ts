// Finds the source of a game, and refuses games that do not exist or cannot be launched.
import { fail } from '../errors.ts';
import type { CatalogueEntry } from '../upstream/upstream.ts';
import type { ServedCatalogue } from './catalogue.ts';
import type { CatalogueCache } from './catalogue-cache.ts';
import type { LaunchMode } from './game-session.ts';
import type { GameSource, GameSources } from './game-sources.ts';

interface FindGameDeps {
  readonly catalogue: CatalogueCache;
  readonly sources: Pick<GameSources, 'list'>;
}

interface WantedGame {
  readonly packageId: number;
  readonly gameId: string;
  readonly mode: LaunchMode;
}

interface Candidate {
  readonly catalogue: CatalogueCache;
  /** The connection that lists the game; undefined for the configured upstream. */
  readonly source: GameSource | undefined;
  readonly read: () => Promise<ServedCatalogue | undefined>;
}

/**
 * Returns the connection of the game, or undefined for a game of the configured upstream. A launch is allowed
 * by a catalogue of any age, because the player is waiting and the provider makes the final decision. Before
 * a launch is refused, every catalogue that is not current is requested again.
 */
export async function findGameSource(
  { catalogue, sources }: FindGameDeps,
  wanted: WantedGame,
): Promise<GameSource | undefined> {
  const connections = (await sources.list(wanted.packageId)).filter(({ source }) =>
    wanted.gameId.startsWith(source.gamePrefix),
  );
  // The order of the sources is the same as in the list of games. If two sources have a game with the same
  // id, the first source is used.
  const candidates: Candidate[] = [{ catalogue, source: undefined, read: catalogue.get }, ...connections];
  for (const candidate of candidates) {
    const game = findEntry(candidate, await candidate.catalogue.find(), wanted.gameId);
    if (!game) continue;
    if (isLaunchable(game, wanted.mode, candidate)) return candidate.source;
    break;
  }
  return findAnew(candidates, wanted);
}

/** Requests the list again from every source whose copy is old, and searches the new lists. */
async function findAnew(
  candidates: readonly Candidate[],
  wanted: WantedGame,
): Promise<GameSource | undefined> {
  const asked = await Promise.allSettled(candidates.map(({ read }) => read()));
  for (const [at, candidate] of candidates.entries()) {
    const answer = asked[at];
    const game =
      answer?.status === 'fulfilled' ? findEntry(candidate, answer.value, wanted.gameId) : undefined;
    if (!game) continue;
    if (isLaunchable(game, wanted.mode, candidate)) return candidate.source;
    throw fail('game_unavailable');
  }
  for (const answer of asked) {
    if (answer.status === 'rejected') throw answer.reason;
    if (!answer.value) throw fail('upstream_unavailable');
  }
  throw fail('game_not_found');
}

function findEntry(
  { catalogue }: Candidate,
  served: ServedCatalogue | undefined,
  gameId: string,
): CatalogueEntry | undefined {
  const lists = served ? catalogue.listSources(served) : [];
  return lists.find(({ byId }) => byId.has(gameId))?.byId.get(gameId);
}

function isLaunchable(game: CatalogueEntry, mode: LaunchMode, { source }: Candidate): boolean {
  // An unknown status (null) does not stop a launch: the provider accepts or refuses it.
  if (game.status !== null && game.status !== 'active') return false;
  // Slotegrator's list does not say which games have a demo (null). A demo of these games may be launched;
  // the provider then accepts or refuses the launch.
  return mode !== 'demo' || game.hasDemo === true || (source !== undefined && game.hasDemo === null);
}
