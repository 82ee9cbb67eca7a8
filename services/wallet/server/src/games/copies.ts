// The last good copy of each source, in memory and in the database. A copy is served if all sources fail.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { CatalogueSource, FetchedCatalogue, Upstream } from '../upstream/upstream.ts';
import { type Catalogue, countGames, createCatalogue } from './catalogue.ts';
import {
  type ConnectionCopyKey,
  findAcceptedTotal,
  findConnectionCopy,
  findNewerTotal,
  listCopies,
  type StoredCopy,
} from './queries.ts';
import { saveConnectionCopy, saveConnectionTakenAt, saveCopy, saveTakenAt } from './store.ts';

/**
 * The time at which a source last confirmed its copy is stored at this interval. After a restart, the stored
 * time gives the age of the copy.
 */
const touchEveryMs = 60_000;

/** The storage for the copies of catalogues. */
export interface CopyStore {
  list(): Promise<Omit<StoredCopy, 'total'>[]>;
  save(copy: StoredCopy): Promise<void>;
  /** Stores only the time at which a list was confirmed, because its content has not changed. */
  saveTakenAt(copy: Pick<StoredCopy, 'source' | 'takenAt' | 'hash'>): Promise<void>;
  /**
   * The size of a smaller list that an administrator or another process accepted; undefined if neither
   * accepted a list.
   */
  findAcceptedTotal(asked: {
    source: CatalogueSource;
    ownTakenAt: Date | undefined;
  }): Promise<number | undefined>;
}

/** Stores the catalogues of the configured upstream, which all packages share. */
export const createCopyStore = (db: Db): CopyStore => ({
  list: () => listCopies(db),
  save: (copy) => saveCopy(db, copy),
  saveTakenAt: (copy) => saveTakenAt(db, copy),
  findAcceptedTotal: (asked) => findAcceptedTotal(db, asked),
});

/** Stores the catalogue of one provider connection. A connection has only the private source. */
export const createConnectionCopyStore = (db: Db, key: ConnectionCopyKey): CopyStore => ({
  list: async () => {
    const found = await findConnectionCopy(db, key);
    return found ? [{ ...found, source: 'private' }] : [];
  },
  save: (copy) => saveConnectionCopy(db, key, copy),
  saveTakenAt: (copy) => saveConnectionTakenAt(db, key, copy),
  findAcceptedTotal: ({ ownTakenAt }) => findNewerTotal(db, key, ownTakenAt),
});

export interface Copies {
  /** Loads the stored copies, unless they are loaded already. */
  load(): Promise<void>;
  find(source: CatalogueSource): Catalogue | undefined;
  findNewest(): Catalogue | undefined;
  /** All copies. The copy of the private source comes first. */
  list(): Catalogue[];
  replace(source: CatalogueSource, fetched: FetchedCatalogue, at: Date): Catalogue;
  /** Updates the time of a copy whose source has sent the same bytes again. */
  confirm(source: CatalogueSource, at: Date): Catalogue;
  /** Resolves when all pending writes are done. */
  settle(): Promise<void>;
}

export function createCopies(deps: {
  store: CopyStore;
  upstream: Pick<Upstream, 'readCatalogue'>;
  logger: Logger;
}): Copies {
  const { store, upstream, logger } = deps;
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
    for (const { source, takenAt, hash, body } of await store.list()) {
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
      write(() => store.save({ source, takenAt: at, hash, total, body }));
      return catalogue;
    },
    confirm: (source, at) => {
      const current = copies.get(source);
      if (!current) throw new Error('cannot confirm a copy that does not exist');
      const catalogue = { ...current, takenAt: at };
      copies.set(source, catalogue);
      if (at.getTime() - (writtenAt.get(source) ?? 0) >= touchEveryMs) {
        writtenAt.set(source, at.getTime());
        write(() => store.saveTakenAt({ source, takenAt: at, hash: current.hash }));
      }
      return catalogue;
    },
    settle: () => writing,
  };
}
