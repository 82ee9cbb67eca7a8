// Finds a package by its UID, from a cache that sees every change within 5 s.

import { createCache } from '@counterfoil/kit/concurrency/cache';
import type { Db } from '@counterfoil/kit/postgres/db';
import { listen } from '@counterfoil/kit/postgres/notifications';
import type { CustomerPackage } from '../customer-package.ts';
import { collectChanges, packageChannel } from '../lock-package.ts';
import { listApproved } from '../queries.ts';
import { findPackageByUid } from './queries.ts';

/**
 * The maximum age of a cached package. If a notification is lost, a suspension still takes effect within 5 s.
 */
const ttlMs = 4000;

/** The number of packages that are cached at the start, so that their first callers do not wait. */
const readAhead = 32;

/** Shortest interval between two reads that bypass the cache for the same package. */
const againMs = 200;

export type PackageFinder = Awaited<ReturnType<typeof createPackageFinder>>;

interface Options {
  readonly db: Db;
  readonly directUrl: string;
  readonly onError: (error: Error) => void;
  readonly now?: () => Date;
  /** The clock for the age of cached packages. */
  readonly monotonicMs?: () => number;
}

export async function createPackageFinder(options: Options) {
  const { now = () => new Date(), monotonicMs = () => performance.now() } = options;
  const cache = createCache<CustomerPackage>({
    ttlMs,
    maxEntries: 10_000,
    now: monotonicMs,
    load: (uid) => findPackageByUid(options.db, uid, now()),
  });
  const listeners: (() => void)[] = [];
  const drop = (uid?: string) => {
    if (uid === undefined) cache.clear();
    else cache.delete(uid);
    for (const call of listeners) call();
  };
  const listener = await listen({
    url: options.directUrl,
    channel: packageChannel,
    onMessage: drop,
    onGap: () => drop(),
    onError: options.onError,
  });
  // The cache is filled in the background. A call whose package is not cached yet loads the package itself.
  listApproved(options.db, readAhead)
    .then((found) => Promise.all(found.map(({ uid }) => cache.get(uid))))
    .catch(() => {});
  const readAgainAt = new Map<string, number>();
  return {
    find: (uid: string) => cache.get(uid),
    /** The package from the cache, without waiting; undefined if it is not cached. */
    peek: (uid: string) => cache.peek(uid),
    /**
     * Removes the package from the cache and loads it again. Within 200 ms after such a reload of the
     * package, returns the cached package instead. So a new key pair works almost at once, even if the
     * notification of the change has not arrived yet.
     */
    findAgain: (uid: string) => {
      const last = readAgainAt.get(uid) ?? 0;
      if (performance.now() - last >= againMs) {
        readAgainAt.set(uid, performance.now());
        cache.delete(uid);
      }
      return cache.get(uid);
    },
    /**
     * Wraps the database for code that changes packages. When a transaction commits, the packages that it
     * changed are removed from the cache. So this process uses the new state before the change is answered.
     */
    watch: (db: Db): Db => ({
      ...db,
      transaction: async (work) => {
        let changed: string[] = [];
        const done = await db.transaction((tx) => {
          changed = collectChanges(tx);
          return work(tx);
        });
        for (const uid of changed) drop(uid);
        return done;
      },
    }),
    /**
     * Calls `call` whenever a package is removed from the cache because it changed, and whenever the cache is
     * cleared because notifications were lost.
     */
    onChange: (call: () => void): void => void listeners.push(call),
    close: () => listener.close(),
  };
}
