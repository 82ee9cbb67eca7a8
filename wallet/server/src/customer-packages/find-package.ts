// Finds a package by its UID, from memory where possible; a change anywhere arrives within 5 s.
import { createCache } from '@counterfoil/kit/cache';
import type { Db, Queryable } from '@counterfoil/kit/db';
import { listen, notify } from '@counterfoil/kit/notifications';
import type { CustomerPackage } from './customer-package.ts';
import { selectPackageByUid } from './store.ts';

const channel = 'packages';
/** The safety net behind the notifications: a suspension holds everywhere within 5 s. */
const ttlMs = 4000;

export interface PackageFinder {
  find(uid: string): Promise<CustomerPackage | undefined>;
  close(): Promise<void>;
}

export async function createPackageFinder(options: {
  db: Db;
  databaseUrl: string;
  onError: (error: Error) => void;
}): Promise<PackageFinder> {
  const cache = createCache<CustomerPackage>({
    ttlMs,
    maxEntries: 10_000,
    load: (uid) => selectPackageByUid(options.db, uid),
  });
  const listener = await listen({
    url: options.databaseUrl,
    channel,
    onMessage: (uid) => cache.delete(uid),
    onGap: () => cache.clear(),
    onError: options.onError,
  });
  return { find: (uid) => cache.get(uid), close: () => listener.close() };
}

/** Said by whoever changes a package or its pairs, in the transaction that changes it. */
export async function announcePackageChange(db: Queryable, uid: string): Promise<void> {
  await notify(db, channel, uid);
}
