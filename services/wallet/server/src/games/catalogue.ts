// A copy of the upstream's catalogue, and under which name it is served.
import type { CatalogueContent, CatalogueEntry } from '../upstream/catalogue-content.ts';
import type { CatalogueSource } from '../upstream/upstream.ts';

export interface Catalogue {
  readonly from: CatalogueSource;
  readonly hash: Buffer;
  /** When the source last said that it is so. */
  readonly takenAt: Date;
  readonly content: CatalogueContent;
  readonly byId: ReadonlyMap<string, CatalogueEntry>;
}

export interface ServedCatalogue {
  readonly catalogue: Catalogue;
  /** `stale`: no source could be asked, and this is the last good copy. */
  readonly source: CatalogueSource | 'stale';
}

export const createCatalogue = (given: Omit<Catalogue, 'byId'>): Catalogue => ({
  ...given,
  byId: new Map(given.content.entries.map((entry) => [entry.gameId, entry])),
});

export const countGames = (catalogue: Catalogue): number => catalogue.content.entries.length;
