// Merges the catalogues of a package's sources into one list in the order of the ids.
import { createHash } from 'node:crypto';
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { CatalogueContent, CatalogueEntry } from '../upstream/upstream.ts';
import type { Catalogue, ServedCatalogue } from './catalogue.ts';

/** A provider connection whose games are part of a list. */
export interface ListedSource {
  readonly id: string;
  /**
   * `stale`: the last good copy is listed. The other two states mean that no game of the connection is
   * listed. `too_large`: its list exceeds a limit. `unavailable`: it failed for another reason.
   */
  readonly state: 'current' | 'stale' | 'unavailable' | 'too_large';
  readonly takenAt: Date | undefined;
  readonly total: number;
}

export interface ListedCatalogue {
  readonly catalogue: Pick<Catalogue, 'hash' | 'takenAt' | 'content'>;
  readonly source: ServedCatalogue['source'];
  /** The connections that are part of the list. Absent if the package has no connection that lists games. */
  readonly connections?: readonly ListedSource[];
}

interface ConnectionPart {
  readonly id: string;
  /**
   * The list of the connection; undefined if the connection failed and has no copy, or if its games do not
   * fit.
   */
  readonly served: ServedCatalogue | undefined;
  /** Whether the list exceeds a limit. Only used if `served` is undefined. */
  readonly isTooLarge: boolean;
}

type Merge = (
  packageId: number,
  main: ServedCatalogue | undefined,
  parts: readonly ConnectionPart[],
) => ListedCatalogue;

/**
 * The maximum number of games in one list. Connections are added from the oldest to the newest. If the games
 * of a connection do not fit, the connection is left out.
 */
const maxGames = 100_000;

/**
 * The maximum number of merged lists in memory. A list is merged again only if the list of a source has
 * changed.
 */
const maxMerged = 100;

export function createMerger(logger: Logger): Merge {
  const merged = new Map<number, { from: readonly CatalogueContent[]; content: CatalogueContent }>();

  const mergeOnce = (packageId: number, from: readonly CatalogueContent[]): CatalogueContent => {
    const known = merged.get(packageId);
    if (known?.from.length === from.length && from.every((each, at) => each === known.from[at])) {
      return known.content;
    }
    const [oldest] = merged.keys();
    if (!known && merged.size >= maxMerged && oldest !== undefined) merged.delete(oldest);
    const content = mergeContents(from);
    merged.set(packageId, { from, content });
    return content;
  };

  return (packageId, main, parts) => {
    const listed = omitExcess(main, parts, (id) =>
      logger.warn({ packageId, connection: id }, 'a package has too many games; a connection is omitted'),
    );
    const served = [main, ...listed.map((part) => part.served)].filter((each) => each !== undefined);
    const content = mergeOnce(
      packageId,
      served.map(({ catalogue }) => catalogue.content),
    );
    const connections = listed.map(presentPart);
    const hash = createHash('sha256');
    for (const { catalogue } of served) hash.update(catalogue.hash);
    hash.update(JSON.stringify(connections.map(({ id, state }) => [id, state])));
    const takenAt = main?.catalogue.takenAt ?? findOldest(served);
    return {
      catalogue: { hash: hash.digest(), takenAt, content },
      source: main?.source ?? 'stale',
      connections,
    };
  };
}

function omitExcess(
  main: ServedCatalogue | undefined,
  parts: readonly ConnectionPart[],
  onOmitted: (id: string) => void,
): ConnectionPart[] {
  let left = maxGames - (main?.catalogue.content.entries.length ?? 0);
  return parts.map((part) => {
    const total = part.served?.catalogue.content.entries.length ?? 0;
    if (total <= left) {
      left -= total;
      return part;
    }
    onOmitted(part.id);
    return { id: part.id, served: undefined, isTooLarge: true };
  });
}

const findOldest = (served: readonly ServedCatalogue[]): Date =>
  new Date(Math.min(...served.map(({ catalogue }) => catalogue.takenAt.getTime())));

function presentPart({ id, served, isTooLarge }: ConnectionPart): ListedSource {
  if (!served) return { id, state: isTooLarge ? 'too_large' : 'unavailable', takenAt: undefined, total: 0 };
  const { catalogue, source } = served;
  return {
    id,
    state: source === 'stale' ? 'stale' : 'current',
    takenAt: catalogue.takenAt,
    total: catalogue.content.entries.length,
  };
}

/** If several lists contain the same id, the game of the first of these lists is used. */
function mergeContents(contents: readonly CatalogueContent[]): CatalogueContent {
  const seen = new Set<string>();
  const records: { entry: CatalogueEntry; json: Buffer }[] = [];
  for (const { entries, json } of contents) {
    for (const entry of entries) {
      if (!seen.has(entry.gameId)) records.push({ entry, json });
      seen.add(entry.gameId);
    }
  }
  // Sorts by code units, because the given lists are sorted by code units.
  records.sort((a, b) => (a.entry.gameId < b.entry.gameId ? -1 : 1));
  const entries: CatalogueEntry[] = [];
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { entry, json } of records) {
    const start = at > 0 ? at + 1 : 0;
    if (at > 0) pieces.push(comma);
    pieces.push(json.subarray(entry.start, entry.end));
    at = start + entry.end - entry.start;
    entries.push({ ...entry, start, end: at });
  }
  return { json: Buffer.concat(pieces), entries };
}

const comma = Buffer.from(',');
