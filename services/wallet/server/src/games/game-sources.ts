// The provider connections that list games of a package, and the list of the games of all its sources.
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { LaunchAnswer, LaunchOrder, SourceHealth, Upstream } from '../upstream/upstream.ts';
import type { ServedCatalogue } from './catalogue.ts';
import { type CatalogueCache, createCatalogueCache } from './catalogue-cache.ts';
import { createConnectionCopyStore } from './copies.ts';
import { createMerger, type ListedCatalogue } from './merge-catalogues.ts';

/**
 * A provider connection that lists and launches games. The settings never change: a changed connection gets a
 * new object.
 */
export interface GameSource {
  readonly packageId: number;
  /** The id of the connection. */
  readonly id: string;
  readonly url: string;
  /** The prefix of the game ids. A game id is the prefix followed by the provider's own id. */
  readonly gamePrefix: string;
  /**
   * Requests the list of games. The result is undefined if the list has not changed, that is, if its hash is
   * still `known`.
   */
  fetchCatalogue(known: Buffer | undefined): ReturnType<Upstream['fetchCatalogue']>;
  readCatalogue: Upstream['readCatalogue'];
  launch(order: LaunchOrder, timeoutMs: number): Promise<LaunchAnswer>;
  health(): readonly [SourceHealth<'catalogue'>, SourceHealth<'launch'>];
}

/** The sources of a package, the oldest connection first. */
export type ListGameSources = (packageId: number) => Promise<readonly GameSource[]>;

export interface OpenSource {
  readonly source: GameSource;
  readonly catalogue: CatalogueCache;
  /**
   * Returns the current list. If the source fails or is too slow, returns the last copy; undefined if there
   * is no copy.
   */
  read(): Promise<ServedCatalogue | undefined>;
}

export interface GameSources {
  list(packageId: number): Promise<readonly OpenSource[]>;
  /** The games of the configured upstream and of all connections of the package. */
  getList(packageId: number): Promise<ListedCatalogue>;
  close(): Promise<void>;
}

interface GameSourcesDeps {
  readonly db: Db;
  /** The catalogue of the configured upstream. */
  readonly catalogue: CatalogueCache;
  readonly listSources: ListGameSources;
  readonly logger: Logger;
  readonly now: () => Date;
  /** The longest time for which a list of games waits for one source. */
  readonly waitMs: number;
}

/**
 * The age at which a list is requested again. A shorter time would cost too much: the list of Slotegrator
 * needs one request per 50 games, and lists change only a few times a day.
 */
const maxAgeMs = 5 * 60_000;

/**
 * The maximum number of catalogues in memory. Above this number, the catalogue that was opened first is
 * closed.
 */
const maxOpen = 500;

export function createGameSources(deps: GameSourcesDeps): GameSources {
  const { catalogue, logger } = deps;
  const open = new Map<string, OpenSource>();
  const merge = createMerger(logger);

  const openSource = (source: GameSource): OpenSource => {
    const known = open.get(source.id);
    if (known?.source === source) return known;
    const [oldest] = open.keys();
    if (!known && open.size >= maxOpen && oldest !== undefined) drop(oldest);
    if (known) drop(source.id);
    const own = openCatalogue(deps, source);
    const opened = { source, catalogue: own, read: () => readWithin(own, deps.waitMs) };
    open.set(source.id, opened);
    return opened;
  };

  const drop = (id: string) => {
    void open.get(id)?.catalogue.close();
    open.delete(id);
  };

  const list = async (packageId: number): Promise<readonly OpenSource[]> =>
    (await deps.listSources(packageId)).map(openSource);

  /**
   * Lists the connections whose games are part of the list of games. If the connections cannot be read, only
   * the games of the upstream are listed, because the upstream's list needs no database.
   */
  const listForList = (packageId: number): Promise<readonly OpenSource[]> =>
    list(packageId).catch((error: unknown) => {
      logger.warn({ err: error, packageId }, 'the connections of a package could not be listed');
      return [];
    });

  return {
    list,
    getList: async (packageId) => {
      const sources = await listForList(packageId);
      if (sources.length === 0) return catalogue.get();
      const main = catalogue.get().then(
        (served) => ({ served, error: undefined }),
        (error: unknown) => ({ served: undefined, error }),
      );
      const parts = await Promise.all(
        sources.map(async ({ source, read }) => {
          const served = await read();
          return { id: source.id, served, isTooLarge: source.health()[0].lastFailure === 'too_large' };
        }),
      );
      const { served, error } = await main;
      if (!served && parts.every((part) => !part.served)) throw error;
      return merge(packageId, served, parts);
    },
    close: async () => {
      await Promise.all([...open.values()].map((each) => each.catalogue.close()));
    },
  };
}

function openCatalogue({ db, logger, now }: GameSourcesDeps, source: GameSource): CatalogueCache {
  const { packageId, id: connectionId, url: upstreamUrl } = source;
  return createCatalogueCache({
    db,
    logger: logger.child({ connection: connectionId }),
    now,
    maxAgeMs,
    upstream: {
      fetchCatalogue: (_from, known) => source.fetchCatalogue(known),
      readCatalogue: (body) => source.readCatalogue(body),
    },
    sources: ['private'],
    store: createConnectionCopyStore(db, { packageId, connectionId, upstreamUrl }),
  });
}

async function readWithin(catalogue: CatalogueCache, waitMs: number): Promise<ServedCatalogue | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), waitMs);
  });
  const answer = catalogue.get().catch(() => undefined);
  const found = await Promise.race([answer, late]);
  clearTimeout(timer);
  if (found !== 'late') return found;
  const last = await catalogue.find();
  return last && !catalogue.isYoung(last) ? { ...last, source: 'stale' } : last;
}
