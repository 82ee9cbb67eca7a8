// Finds the connection that a provider's call names, from a cache that sees every change within 5 s.
import { createCache } from '@counterfoil/kit/concurrency/cache';
import type { MasterKey } from '@counterfoil/kit/crypto/secrets';
import type { Db } from '@counterfoil/kit/postgres/db';
import type { PackageFinder } from '../packages/callers/find-package.ts';
import type { CustomerPackage } from '../packages/customer-package.ts';
import { findPackageNumber, type OpenConnection } from './connection.ts';
import { findConnection } from './queries.ts';

/**
 * The maximum age of a cached connection. If a notification is lost, a pause still takes effect within 5 s.
 */
const ttlMs = 4000;
const maxEntries = 10_000;

export interface FoundConnection {
  readonly connection: OpenConnection;
  readonly customerPackage: CustomerPackage;
}

export interface ConnectionFinder {
  find(id: string): Promise<FoundConnection | undefined>;
  /** Returns the connection if it is in the cache. Does not wait for the database. */
  peek(id: string): FoundConnection | undefined;
  /**
   * Returns the connection in the state in which it was last found, perhaps long ago. Use the result only to
   * choose the dialect of an answer while the database does not respond.
   */
  findLast(id: string): FoundConnection | undefined;
}

export function createConnectionFinder(options: {
  db: Db;
  masterKey: MasterKey;
  finder: PackageFinder;
  /** The clock that measures the age of cached connections. */
  monotonicMs?: () => number;
}): ConnectionFinder {
  const { db, masterKey, finder, monotonicMs = () => performance.now() } = options;
  const last = new Map<string, FoundConnection>();
  const storeLast = (id: string, found: FoundConnection | undefined) => {
    last.delete(id);
    const [oldest] = last.keys();
    if (last.size >= maxEntries && oldest !== undefined) last.delete(oldest);
    if (found) last.set(id, found);
    return found;
  };
  const cache = createCache<{ connection: OpenConnection; uid: string }>({
    ttlMs,
    maxEntries,
    now: monotonicMs,
    load: async (id) => {
      const packageId = findPackageNumber(id);
      return packageId === undefined ? undefined : findConnection(db, masterKey, { packageId, id });
    },
  });
  // A change of a connection is announced as a change of its package. So every change of a package clears the
  // cache.
  finder.onChange(() => cache.clear());
  return {
    peek: (id) => {
      const found = cache.peek(id);
      const customerPackage = found && finder.peek(found.uid);
      return customerPackage && { connection: found.connection, customerPackage };
    },
    find: async (id) => {
      // Texts that are not ids are not cached, so that a stranger cannot fill the cache.
      if (findPackageNumber(id) === undefined) return undefined;
      const found = await cache.get(id);
      const customerPackage = found && (await finder.find(found.uid));
      return storeLast(id, customerPackage && { connection: found.connection, customerPackage });
    },
    findLast: (id) => last.get(id),
  };
}
