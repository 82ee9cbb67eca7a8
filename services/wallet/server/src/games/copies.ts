// The last good copy of each source, in memory and in the database. It is served if all sources fail.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { CatalogueSource, FetchedCatalogue, Upstream } from '../upstream/upstream.ts';
import { type Catalogue, countGames, createCatalogue } from './catalogue.ts';
import { listCopies } from './queries.ts';
import { saveCopy, saveTakenAt } from './store.ts';

/** How often the time of the last confirmation is stored. After a restart it gives the age of the copy. */
const touchEveryMs = 60_000;

export interface Copies {
  /** Loads the stored copies, unless they are loaded already. */
  load(): Promise<void>;
  find(source: CatalogueSource): Catalogue | undefined;
  findNewest(): Catalogue | undefined;
  /** The copy of the private source comes first. */
  list(): Catalogue[];
  replace(source: CatalogueSource, fetched: FetchedCatalogue, at: Date): Catalogue;
  /** Called when the source has sent the same bytes again. */
  confirm(source: CatalogueSource, at: Date): Catalogue;
  /** Resolves when all pending writes are done. */
  settle(): Promise<void>;
}

export function createCopies(deps: { db: Db; upstream: Upstream; logger: Logger }): Copies {
  const { db, upstream, logger } = deps;
  const copies = new Map<CatalogueSource, Catalogue>();
  const writtenAt = new Map<CatalogueSource, number>();
  let loading: Promise<void> | undefined;

  let writing = Promise.resolve();

  /** Requests do not wait for this write, because they use the copy in memory. */
  const write = (what: () => Promise<void>): void => {
    writing = writing
      .then(what)
      .catch((error: unknown) => logger.warn({ err: error }, 'the catalogue could not be stored'));
  };

  const readStored = async (): Promise<void> => {
    for (const { source, takenAt, hash, body } of await listCopies(db)) {
      try {
        const content = await upstream.readCatalogue(body);
        const stored = createCatalogue({ from: source, hash, takenAt, content });
        if (!copies.has(source)) copies.set(source, stored);
      } catch (error) {
        logger.warn({ err: error, source }, 'a stored catalogue can no longer be read');
      }
    }
  };

  return {
    load: () => {
      loading ??= readStored().catch((error: unknown) => {
        loading = undefined;
        logger.warn({ err: error }, 'the stored catalogues could not be loaded');
      });
      return loading;
    },
    find: (source) => copies.get(source),
    findNewest: () => {
      const [a, b] = [copies.get('private'), copies.get('public')];
      if (!a || !b) return a ?? b;
      return a.takenAt >= b.takenAt ? a : b;
    },
    list: () => [copies.get('private'), copies.get('public')].filter((each) => each !== undefined),
    replace: (source, { hash, content, body }, at) => {
      const catalogue = createCatalogue({ from: source, hash, takenAt: at, content });
      copies.set(source, catalogue);
      writtenAt.set(source, at.getTime());
      const total = countGames(catalogue);
      write(() => saveCopy(db, { source, takenAt: at, hash, total, body }));
      return catalogue;
    },
    confirm: (source, at) => {
      const current = copies.get(source);
      if (!current) throw new Error('cannot confirm a copy that does not exist');
      const catalogue = { ...current, takenAt: at };
      copies.set(source, catalogue);
      if (at.getTime() - (writtenAt.get(source) ?? 0) >= touchEveryMs) {
        writtenAt.set(source, at.getTime());
        write(() => saveTakenAt(db, { source, takenAt: at, hash: current.hash }));
      }
      return catalogue;
    },
    settle: () => writing,
  };
}
