// Keeps the catalogue by the specification's rule 4: private, else public, else the last good copy.
import type { Db } from '@counterfoil/kit/db';
import type { Logger } from '@counterfoil/kit/logging';
import { fail } from '../errors.ts';
import { type CatalogueSource, type Upstream, UpstreamFailure } from '../upstream/upstream.ts';
import type { Catalogue, ServedCatalogue } from './catalogue.ts';
import { selectAcceptedTotal } from './catalogue-store.ts';
import { createCopies } from './copies.ts';
import { judgeCatalogue, type Suspicion } from './judge-catalogue.ts';

export interface CatalogueKeeper {
  /** The copy at hand if it is young enough, else what the sources say now. */
  get(): Promise<ServedCatalogue>;
  /** The last good copy however old, for a question that need not wait; it is renewed meanwhile. */
  find(): Promise<ServedCatalogue | undefined>;
  isYoung(served: ServedCatalogue): boolean;
  /** What has been asked for, without asking: for whoever watches over the service. */
  peek(): ServedCatalogue | undefined;
  suspicions(): ReadonlyMap<CatalogueSource, Suspicion>;
  close(): Promise<void>;
}

export interface KeeperDeps {
  readonly db: Db;
  readonly upstream: Upstream;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly maxAgeMs: number;
}

export function createCatalogueKeeper(deps: KeeperDeps): CatalogueKeeper {
  const { db, upstream, logger, now, maxAgeMs } = deps;
  const copies = createCopies(deps);
  const suspicions = new Map<CatalogueSource, Suspicion>();
  let served: ServedCatalogue | undefined;
  let renewal: Promise<ServedCatalogue> | undefined;

  const isYoung = ({ catalogue, source }: ServedCatalogue): boolean =>
    source !== 'stale' && now().getTime() - catalogue.takenAt.getTime() < maxAgeMs;

  const ask = async (source: CatalogueSource): Promise<Catalogue | undefined> => {
    const before = copies.find(source);
    const fetched = await upstream.fetchCatalogue(source, before?.hash);
    if (!fetched) {
      suspicions.delete(source);
      return copies.confirm(source, now());
    }
    const total = fetched.content.entries.length;
    const given = { total, before: before?.content.entries.length, now: now() };
    const suspicion = suspicions.get(source);
    let verdict = judgeCatalogue({ ...given, suspicion, accepted: undefined });
    if (verdict === 'suspect') {
      // Without the database nothing counts as accepted; the answer does not depend on it.
      const accepted = await selectAcceptedTotal(db, source).catch(() => undefined);
      verdict = judgeCatalogue({ ...given, suspicion, accepted });
    }
    if (verdict === 'suspect') {
      suspicions.set(source, { since: suspicion?.since ?? given.now, total });
      logger.warn(
        { source, total, before: given.before },
        'the catalogue shrank; not believed yet',
      );
      return undefined;
    }
    suspicions.delete(source);
    return copies.replace(source, fetched, given.now);
  };

  const tryAsking = async (source: CatalogueSource): Promise<Catalogue | undefined> => {
    try {
      return await ask(source);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      logger.warn({ source, reason: error.reason }, 'a source of the catalogue failed');
      return undefined;
    }
  };

  const renew = async (): Promise<ServedCatalogue> => {
    await copies.load();
    for (const source of ['private', 'public'] as const) {
      const catalogue = await tryAsking(source);
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
    peek: () => served,
    suspicions: () => suspicions,
    close: async () => {
      await renewal?.catch(() => {});
      await copies.settle();
    },
  };
}
