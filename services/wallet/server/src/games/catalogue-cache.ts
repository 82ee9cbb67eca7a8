// Caches the catalogue by rule 4 of the specification: private list, else public list, else last good copy.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { CatalogueSource, Upstream } from '../upstream/upstream.ts';
import type { Catalogue, ServedCatalogue, Suspicion } from './catalogue.ts';
import { type CopyStore, createCopies, createCopyStore } from './copies.ts';
import { askForCatalogue } from './request-catalogue.ts';

export interface CatalogueCache {
  /**
   * Returns the cached copy if it is fresh. Otherwise requests the catalogue from the sources. If all sources
   * fail, returns the last good copy; throws if there is none.
   */
  get(): Promise<ServedCatalogue>;
  /**
   * Returns the last good copy of any age; undefined if there is none. Does not wait for the sources: an old
   * copy is renewed in the background.
   */
  find(): Promise<ServedCatalogue | undefined>;
  isYoung(served: ServedCatalogue): boolean;
  /**
   * Returns the lists that decide whether a game exists and may be launched. An earlier list takes precedence
   * over a later list.
   */
  listSources(served: ServedCatalogue): readonly Catalogue[];
  /**
   * The copy that is served now, without a request to the sources. Administrators see it in their overview.
   */
  peek(): ServedCatalogue | undefined;
  suspicions(): ReadonlyMap<CatalogueSource, Suspicion>;
  close(): Promise<void>;
}

export interface CatalogueCacheDeps {
  readonly db: Db;
  readonly upstream: Pick<Upstream, 'fetchCatalogue' | 'readCatalogue'>;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly maxAgeMs: number;
  /**
   * The sources in the order in which they are requested. The default is the private, then the public source.
   */
  readonly sources?: readonly CatalogueSource[];
  /** Where the copies are stored. The default is the store for the configured upstream. */
  readonly store?: CopyStore;
}

export function createCatalogueCache(deps: CatalogueCacheDeps): CatalogueCache {
  const { sources = ['private', 'public'], store = createCopyStore(deps.db) } = deps;
  const copies = createCopies({ ...deps, store });
  const suspicions = new Map<CatalogueSource, Suspicion>();
  const asking = { ...deps, store, copies, suspicions, troubles: new Map() };
  let served: ServedCatalogue | undefined;
  let renewal: Promise<ServedCatalogue> | undefined;

  const isYoung = ({ catalogue, source }: ServedCatalogue): boolean => {
    const ageMs = deps.now().getTime() - catalogue.takenAt.getTime();
    // A negative age means that the clock was set back. The true age is then unknown, so the catalogue does
    // not count as young.
    return source !== 'stale' && ageMs >= 0 && ageMs < deps.maxAgeMs;
  };

  const renew = async (): Promise<ServedCatalogue> => {
    await copies.load();
    for (const source of sources) {
      const catalogue = await askForCatalogue(asking, source);
      if (catalogue) return { catalogue, source };
    }
    const last = copies.findNewest();
    if (!last) throw fail('upstream_unavailable');
    return { catalogue: last, source: 'stale' };
  };

  /** Requests that arrive during a renewal share its result. */
  const share = (): Promise<ServedCatalogue> => {
    renewal ??= renew()
      .then((found) => {
        served = found;
        return found;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };

  return {
    get: async () => (served && isYoung(served) ? served : await share()),
    find: async () => {
      if (served && isYoung(served)) return served;
      await copies.load();
      const last = copies.findNewest();
      if (!last) return undefined;
      void share().catch(() => {});
      return served ?? { catalogue: last, source: 'stale' };
    },
    isYoung,
    // If the private source fails, the public list may be shorter than the private list. So the last good
    // copy of the private list still counts.
    listSources: ({ catalogue, source }) => (source === 'private' ? [catalogue] : copies.list()),
    peek: () => served,
    suspicions: () => suspicions,
    close: async () => {
      await renewal?.catch(() => {});
      await copies.settle();
    },
  };
}
