// Searches a package's players by part of the id or name, best matches first.
import type { Queryable } from '@counterfoil/kit/postgres/db';
import { refuseCursor } from '../wire/paging.ts';
import type { ListedPlayer } from './player.ts';
import {
  phases,
  type SearchedPage,
  type SearchPhase,
  type SearchPosition,
  selectMatches,
  selectWindowEnd,
} from './search-store.ts';

/**
 * Every matching player is on exactly one page. `next` is the position at which the next page starts. A
 * statement reads at most 5,000 players of an index. So a page may be short or even empty although another
 * page follows.
 */
export async function searchPlayers(
  db: Queryable,
  page: SearchedPage & { after: string },
): Promise<{ players: ListedPlayer[]; next: string | undefined }> {
  const players: ListedPlayer[] = [];
  let at: SearchPosition | undefined = parsePosition(page.after);
  while (at) {
    const missing = page.limit - players.length;
    const found = await selectMatches(db, { ...page, limit: missing + 1 }, at);
    const shown = found.slice(0, missing);
    players.push(...shown.map(({ player }) => player));
    const last = shown.at(-1)?.position ?? at;
    if (found.length > missing) return { players, next: formatPosition(last) };
    const end = await selectWindowEnd(db, page, at);
    if (end) return { players, next: formatPosition(end) };
    at = beginPhase(phases[phases.indexOf(at.phase) + 1]);
  }
  return { players, next: undefined };
}

const beginPhase = (phase: SearchPhase | undefined): SearchPosition | undefined =>
  phase && { phase, name: '', id: '' };

const formatPosition = ({ phase, name, id }: SearchPosition): string => JSON.stringify([phase, name, id]);

function parsePosition(after: string): SearchPosition | undefined {
  if (after === '') return beginPhase('id');
  const [phase, name, id] = readList(after);
  const known = phases.find((each) => each === phase);
  if (!known || typeof name !== 'string' || typeof id !== 'string') throw refuseCursor();
  return { phase: known, name, id };
}

function readList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
