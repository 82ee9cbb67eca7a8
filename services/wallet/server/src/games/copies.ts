// The last good copy of each source, in memory and in the database: what is left when all fails.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { CatalogueSource, FetchedCatalogue, Upstream } from '../upstream/upstream.ts';
import { type Catalogue, countGames, createCatalogue } from './catalogue.ts';
import { listCopies } from './queries.ts';
import { saveCopy, saveTakenAt } from './store.ts';

/** The time alone is written seldom: it only tells how old a copy is after a restart. */
const touchEveryMs = 60_000;

export interface Copies {
  /** Reads what an earlier process kept, until that has worked once. */
  load(): Promise<void>;
  find(source: CatalogueSource): Catalogue | undefined;
  findNewest(): Catalogue | undefined;
  /** Of the private source first. */
  list(): Catalogue[];
  replace(source: CatalogueSource, fetched: FetchedCatalogue, at: Date): Catalogue;
  /** The source gave the same bytes again. */
  confirm(source: CatalogueSource, at: Date): Catalogue;
  /** Resolves when all that was to be written is. */
  settle(): Promise<void>;
}

export function createCopies(deps: { db: Db; upstream: Upstream; logger: Logger }): Copies {
  const { db, upstream, logger } = deps;
  const copies = new Map<CatalogueSource, Catalogue>();
  const writtenAt = new Map<CatalogueSource, number>();
  let loading: Promise<void> | undefined;

  let writing = Promise.resolve();

  /** Nobody waits for the database: the copy in memory is as good. */
  const write = (what: () => Promise<void>): void => {
    writing = writing
      .then(what)
      .catch((error: unknown) => logger.warn({ err: error }, 'the catalogue could not be kept'));
  };

  const readStored = async (): Promise<void> => {
    for (const { source, takenAt, hash, body } of await listCopies(db)) {
      try {
        const content = await upstream.readCatalogue(body);
        const kept = createCatalogue({ from: source, hash, takenAt, content });
        if (!copies.has(source)) copies.set(source, kept);
      } catch (error) {
        logger.warn({ err: error, source }, 'a kept catalogue cannot be read any more');
      }
    }
  };

  return {
    load: () => {
      loading ??= readStored().catch((error: unknown) => {
        loading = undefined;
        logger.warn({ err: error }, 'the kept catalogues could not be loaded');
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
      const held = copies.get(source);
      if (!held) throw new Error('a copy is confirmed that was never there');
      const catalogue = { ...held, takenAt: at };
      copies.set(source, catalogue);
      if (at.getTime() - (writtenAt.get(source) ?? 0) >= touchEveryMs) {
        writtenAt.set(source, at.getTime());
        write(() => saveTakenAt(db, { source, takenAt: at, hash: held.hash }));
      }
      return catalogue;
    },
    settle: () => writing,
  };
}
