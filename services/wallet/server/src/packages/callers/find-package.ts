// Finds a package by its UID, from memory where possible; a change anywhere arrives within 5 s.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import type { Db, Queryable, Tx } from '@counterfoil/kit/postgres/db';
import { listen, notify } from '@counterfoil/kit/postgres/notifications';
import type { CustomerPackage } from '../customer-package.ts';
import { selectApproved, selectPackageByUid } from '../store.ts';

const channel = 'packages';
/** The safety net behind the notifications: a suspension holds everywhere within 5 s. */
const ttlMs = 4000;

/** So many are read ahead: the callers of a service that comes back need not wait for that. */
const readAhead = 32;

/** How often memory may be passed over for one package. */
const againMs = 200;

export interface PackageFinder {
  find(uid: string): Promise<CustomerPackage | undefined>;
  /** What is in memory, without waiting for anything. */
  peek(uid: string): CustomerPackage | undefined;
  /**
   * Past what is remembered, now and then: a pair that was made a moment ago works at once, even
   * where the word of it has not arrived yet.
   */
  findAgain(uid: string): Promise<CustomerPackage | undefined>;
  /**
   * The same database for whoever changes packages: what a transaction announces is forgotten here
   * as soon as it is committed, so that no answer to a change comes before this process knows it.
   */
  watch(db: Db): Db;
  close(): Promise<void>;
}

export async function createPackageFinder(options: {
  db: Db;
  directUrl: string;
  onError: (error: Error) => void;
  now?: () => Date;
  /** The clock by which memory ages. */
  monotonicMs?: () => number;
}): Promise<PackageFinder> {
  const { now = () => new Date(), monotonicMs = () => performance.now() } = options;
  const cache = createCache<CustomerPackage>({
    ttlMs,
    maxEntries: 10_000,
    now: monotonicMs,
    load: (uid) => selectPackageByUid(options.db, uid, now()),
  });
  const listener = await listen({
    url: options.directUrl,
    channel,
    onMessage: (uid) => cache.delete(uid),
    onGap: () => cache.clear(),
    onError: options.onError,
  });
  // Nobody waits for it, and whoever comes first asks by itself.
  selectApproved(options.db, readAhead)
    .then((found) => Promise.all(found.map(({ uid }) => cache.get(uid))))
    .catch(() => {});
  const readAgainAt = new Map<string, number>();
  return {
    find: (uid) => cache.get(uid),
    peek: (uid) => cache.peek(uid),
    findAgain: (uid) => {
      const last = readAgainAt.get(uid) ?? 0;
      if (performance.now() - last >= againMs) {
        readAgainAt.set(uid, performance.now());
        cache.delete(uid);
      }
      return cache.get(uid);
    },
    watch: (db) => ({
      ...db,
      transaction: async (work) => {
        let changed: string[] = [];
        const done = await db.transaction((tx) => {
          changed = noteChanges(tx);
          return work(tx);
        });
        for (const uid of changed) cache.delete(uid);
        return done;
      },
    }),
    close: () => listener.close(),
  };
}

const changesOf = new WeakMap<Queryable, string[]>();

function noteChanges(tx: Tx): string[] {
  const changed: string[] = [];
  changesOf.set(tx, changed);
  return changed;
}

/** Said by whoever changes a package or its pairs, in the transaction that changes it. */
export async function announcePackageChange(db: Queryable, uid: string): Promise<void> {
  changesOf.get(db)?.push(uid);
  await notify(db, channel, uid);
}
