// Keeps the catalogue by the specification's rule 4: private, else public, else the last good copy.

import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { fail } from '../errors.ts';
import type { CatalogueSource, Upstream } from '../upstream/upstream.ts';
import type { Catalogue, ServedCatalogue, Suspicion } from './catalogue.ts';
import { createCopies } from './copies.ts';
import { askForCatalogue } from './request-catalogue.ts';

export interface CatalogueCache {
  /** The copy at hand if it is young enough, else what the sources say now. */
  get(): Promise<ServedCatalogue>;
  /** The last good copy however old, for a question that need not wait; it is renewed meanwhile. */
  find(): Promise<ServedCatalogue | undefined>;
  isYoung(served: ServedCatalogue): boolean;
  /** Which lists have a say about a game, the weightiest first. */
  listSources(served: ServedCatalogue): readonly Catalogue[];
  /** What has been asked for, without asking: for whoever watches over the service. */
  peek(): ServedCatalogue | undefined;
  suspicions(): ReadonlyMap<CatalogueSource, Suspicion>;
  close(): Promise<void>;
}

export interface CatalogueCacheDeps {
  readonly db: Db;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly maxAgeMs: number;
}

export function createCatalogueCache(deps: CatalogueCacheDeps): CatalogueCache {
  const copies = createCopies(deps);
  const suspicions = new Map<CatalogueSource, Suspicion>();
  const asking = { ...deps, copies, suspicions, troubles: new Map() };
  let served: ServedCatalogue | undefined;
  let renewal: Promise<ServedCatalogue> | undefined;

  const isYoung = ({ catalogue, source }: ServedCatalogue): boolean => {
    const ageMs = deps.now().getTime() - catalogue.takenAt.getTime();
    // A copy of the future was taken before the clock was set back; who knows how old it is.
    return source !== 'stale' && ageMs >= 0 && ageMs < deps.maxAgeMs;
  };

  const renew = async (): Promise<ServedCatalogue> => {
    await copies.load();
    for (const source of ['private', 'public'] as const) {
      const catalogue = await askForCatalogue(asking, source);
      if (catalogue) return { catalogue, source };
    }
    const last = copies.findNewest();
    if (!last) throw fail('upstream_unavailable');
    return { catalogue: last, source: 'stale' };
  };

  /** Whoever comes while the sources are asked shares the answer. */
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
    // Without the private list its last good copy still counts: the public one may be shorter.
    listSources: ({ catalogue, source }) => (source === 'private' ? [catalogue] : copies.list()),
    peek: () => served,
    suspicions: () => suspicions,
    close: async () => {
      await renewal?.catch(() => {});
      await copies.settle();
    },
  };
}
