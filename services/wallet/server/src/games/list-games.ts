// The answer with a list of games. Its JSON is built once, and all requests share its buffers.
import { createHash } from 'node:crypto';
import { isKnownEtag } from '@counterfoil/kit/http/headers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogueEntry } from '../upstream/upstream.ts';
import { formatCursor } from '../wire/paging.ts';
import type { ListedCatalogue, ListedSource } from './merge-catalogues.ts';

export interface GameFilter {
  readonly provider: string | undefined;
  readonly category: string | undefined;
  readonly search: string | undefined;
  readonly limit: number | undefined;
  /** The last id of the previous page. The page starts after this id even if the game was removed. */
  readonly after: string | undefined;
}

interface GamesAnswer {
  /** The answer up to its `request_id`, which differs for each request. */
  readonly pieces: readonly Buffer[];
  /** A weak ETag: it covers the games and their source, but not the time of the copy. */
  readonly etag: string;
}

const opening = Buffer.from('{"status":"success","data":{"games":[');

export function listGames(served: ListedCatalogue, filter: GameFilter): GamesAnswer {
  const { catalogue, connections } = served;
  const { entries, json } = catalogue.content;
  const matching = isWhole(filter) ? entries : entries.filter(createMatcher(filter));
  const from = filter.after === undefined ? 0 : findAfter(matching, filter.after);
  const to = Math.min(from + (filter.limit ?? matching.length), matching.length);
  const last = to < matching.length ? matching[to - 1] : undefined;
  const isAll = from === 0 && to === entries.length && matching === entries;
  const tail = {
    source: served.source,
    updated_at: catalogue.takenAt.toISOString(),
    total: matching.length,
    next_cursor: formatCursor('games', last?.gameId),
    ...(connections && { sources: connections.map(presentSource) }),
  };
  const closing = Buffer.from(`],${JSON.stringify(tail).slice(1)},"request_id":"`);
  const records = isAll ? [json] : joinRecords(json, matching.slice(from, to));
  return { pieces: [opening, ...records, closing], etag: makeEtag(served, filter) };
}

const presentSource = ({ id, state, takenAt, total }: ListedSource) => ({
  source: id,
  state,
  updated_at: takenAt?.toISOString() ?? null,
  total,
});

const isWhole = ({ provider, category, search }: GameFilter): boolean =>
  provider === undefined && category === undefined && search === undefined;

function createMatcher(filter: GameFilter): (entry: CatalogueEntry) => boolean {
  const provider = filter.provider?.toLowerCase();
  const category = filter.category?.toLowerCase();
  const search = filter.search?.toLowerCase();
  return (entry) =>
    (provider === undefined || entry.provider === provider) &&
    (category === undefined || entry.category === category) &&
    (search === undefined || entry.search.includes(search));
}

/** Binary search: entries are sorted by id. */
function findAfter(entries: readonly CatalogueEntry[], id: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as CatalogueEntry).gameId <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Joins the JSON of records. Records that are adjacent in the catalogue become one slice of the catalogue's
 * bytes.
 */
function joinRecords(json: Buffer, entries: readonly CatalogueEntry[]): Buffer[] {
  const pieces: Buffer[] = [];
  let run: { start: number; end: number } | undefined;
  for (const { start, end } of entries) {
    if (run && start === run.end + 1) run.end = end;
    else {
      if (run) pieces.push(json.subarray(run.start, run.end), comma);
      run = { start, end };
    }
  }
  if (run) pieces.push(json.subarray(run.start, run.end));
  // More than four buffers are joined into one, because sending many short buffers costs more.
  return pieces.length > 4 ? [Buffer.concat(pieces)] : pieces;
}

const comma = Buffer.from(',');

function makeEtag({ catalogue, source }: ListedCatalogue, filter: GameFilter): string {
  const { provider, category, search, limit, after } = filter;
  const digest = createHash('sha256')
    .update(catalogue.hash)
    .update(JSON.stringify([source, provider, category, search, limit, after]))
    .digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

const headers = { 'cache-control': 'private, no-cache', vary: 'X-UID, X-API-KEY' };

/** Sends the buffers one by one. `reply.send` would need the whole body in one buffer. */
export function sendGames(
  request: FastifyRequest,
  reply: FastifyReply,
  { pieces, etag }: GamesAnswer,
): FastifyReply {
  reply.headers({ ...headers, etag: `W/${etag}` });
  if (isKnownEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const all = [...pieces, Buffer.from(`${request.id}"}`)];
  const length = all.reduce((sum, piece) => sum + piece.length, 0);
  reply.type('application/json; charset=utf-8').header('content-length', length);
  const { raw } = reply.hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  if (request.method !== 'HEAD') {
    raw.cork();
    for (const piece of all) raw.write(piece);
    raw.uncork();
  }
  raw.end();
  return reply;
}
