// The lookups of the public API. They use caches, or queries that concurrent requests share.
import type { Logger } from '@counterfoil/kit/observability/logging';
import type { Db } from '@counterfoil/kit/postgres/db';
import { type ApiKeyFinder, createApiKeyFinder } from './authentication/find-api-key.ts';
import type { Config } from './config.ts';
import { createItemLister, type ItemLister } from './items/list-items.ts';
import { createLicenceFactsFinder, type LicenceFactsFinder } from './licences/queries.ts';
import { createRevocationFinder, type RevocationFinder } from './licences/revocation-list.ts';
import { createPurchaseFinder, type PurchaseFinder } from './purchases/validation/queries.ts';
import { createSigningKeyFinder, type SigningKeyFinder } from './signing-keys/signing-key-finder.ts';
import { createSellerFinder, createWorkspaceCache, type SellerFinder } from './workspaces/workspace-cache.ts';

export interface Lookups {
  readonly apiKeys: ApiKeyFinder;
  readonly sellers: SellerFinder;
  readonly items: ItemLister;
  readonly purchases: PurchaseFinder;
  readonly signingKeys: SigningKeyFinder;
  readonly licenceFacts: LicenceFactsFinder;
  readonly revocations: RevocationFinder;
  close(): Promise<void>;
}

export async function openLookups(options: {
  db: Db;
  config: Config;
  logger: Logger;
  readonly now?: () => Date;
  /** The monotonic clock that expires cached data. */
  monotonicMs?: () => number;
}): Promise<Lookups> {
  const { db, logger, now = () => new Date() } = options;
  const { directUrl, masterKey } = options.config;
  const aging = options.monotonicMs && { monotonicMs: options.monotonicMs };
  const apiKeys = await createApiKeyFinder({
    db,
    directUrl,
    masterKey,
    ...aging,
    onError: (error) => logger.warn({ err: error }, 'cannot listen for changes of API keys'),
  });
  const workspaceCache = await createWorkspaceCache({
    directUrl,
    ...aging,
    onError: (error) => logger.warn({ err: error }, 'cannot listen for changes of workspaces'),
  });
  return {
    apiKeys,
    sellers: createSellerFinder(db, workspaceCache),
    items: createItemLister(db, workspaceCache),
    purchases: createPurchaseFinder(db),
    signingKeys: createSigningKeyFinder(db, masterKey, workspaceCache),
    licenceFacts: createLicenceFactsFinder(db),
    revocations: createRevocationFinder(db, workspaceCache, now),
    close: async () => {
      await apiKeys.close();
      await workspaceCache.close();
    },
  };
}
